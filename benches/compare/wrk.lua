-- Sends the bytes of the file that REQUEST names, and prints the sums on one line.
local file = assert(io.open(os.getenv("REQUEST"), "rb"))
local bytes = file:read("*a")
file:close()

-- Made once: a `request` function of our own would run for each request.
wrk.format = function() return bytes end

done = function(summary)
  local errors = summary.errors
  local all = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("DONE %d %d %d", summary.requests, summary.duration, all))
end
