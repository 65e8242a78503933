-- The wrk script of load.ts: it requests the paths in turn and prints one line of JSON at the end.
local method, body
local paths, at, number, started, sent = {}, 0, 0, 0, 0
local varies = false

function init(args)
  method, body = args[1], args[2]
  for i = 3, #args do paths[i - 2] = args[i] end
  if body ~= "" then wrk.headers["Content-Type"] = "application/json" end
  started = os.time()
  number = started * 1000000 + math.floor(os.clock() * 1000000) % 1000000
  varies = string.find(body, "%%[nt]") ~= nil
  for i = 1, #paths do
    if not varies then paths[i] = wrk.format(method, paths[i], nil, body ~= "" and body or nil) end
  end
end

function request()
  at = at % #paths + 1
  if not varies then return paths[at] end
  sent = sent + 1
  local values = { ["%n"] = string.format("%.0f", number + sent), ["%t"] = later(sent) }
  return wrk.format(method, paths[at], nil, (string.gsub(body, "%%[nt]", values)))
end

-- A time in fifty years, a tenth of a millisecond later for each request, so that it is later than in every earlier round.
function later(requests)
  local ms = math.floor(requests / 10)
  return os.date("!%Y-%m-%dT%H:%M:%S", started + 50 * 31557600 + math.floor(ms / 1000)) .. string.format(".%03dZ", ms % 1000)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
