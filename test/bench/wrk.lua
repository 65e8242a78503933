-- wrk's side of load.ts: sends the paths in turn, and ends with one line of JSON.
local method, body
local paths, at, number = {}, 0, 0

function init(args)
  method, body = args[1], args[2]
  for i = 3, #args do paths[i - 2] = args[i] end
  if body ~= "" then wrk.headers["Content-Type"] = "application/json" end
  number = os.time() * 1000000 + math.floor(os.clock() * 1000000) % 1000000
  for i = 1, #paths do
    if not string.find(body, "%%n") then paths[i] = wrk.format(method, paths[i], nil, body ~= "" and body or nil) end
  end
end

function request()
  at = at % #paths + 1
  if not string.find(body, "%%n") then return paths[at] end
  number = number + 1
  return wrk.format(method, paths[at], nil, (string.gsub(body, "%%n", string.format("%.0f", number))))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
