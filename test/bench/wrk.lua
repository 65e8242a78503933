-- wrk's side of load.ts: asks for the paths in turn, and ends with one line of JSON.
local paths, at = {}, 0

function init(args)
  for i = 1, #args do paths[i] = wrk.format("GET", args[i]) end
end

function request()
  at = at % #paths + 1
  return paths[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
