-- store.lua - the job store inside Redis: every change is one call of this script
--
-- The hash sennit:tree is authoritative. All that a call changes in it goes into one HSET, so that a
-- log that was truncated in the middle of a call contains it as a whole or not at all:
--   open           number of unfinished jobs
--   d<k>:n :p :l   of domain k: number of entries, its job, unfinished jobs and domains below it
--   d<k>:o :w :j   its open jobs with their shares, its own share of the search, jobs it ever had
--   d<k>:c<i>      the entries from the i-th on, a line each
--   r:<i>          records of commits, opaque text; records: how many
--   k:<word>       what was reached; reached: how many
--   s:<name>       counts;  m:<name> maxima
--   e:<name>       see core/estimate.h; the only fields that are written apart from the others
-- sennit:queue, sennit:leases and sennit:tokens can be reconstructed from it (check). The parts of the budget that
-- workers were granted are in sennit:grants, and until when in sennit:granted.
local command = ARGV[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ALIVE = 15000

-- A database contains one search after another: a client that joined one must not change the next (DIST-8). A restarted
-- server may have forgotten the last things it confirmed: leases and copies of domains from before are void (DIST-9).
local joined, epoch = string.match(table.remove(ARGV, 2), '^(%d*):?(%x*)$')
local current = redis.call('HGET', 'sennit:meta', 'id') or ''
local replaced = joined and joined ~= '' and joined ~= current
local run = string.sub(string.match(redis.call('INFO', 'server'), 'run_id:(%x+)'), 1, 16)
local outlived = epoch and epoch ~= '' and epoch ~= run

local function number(n) return string.format('%.0f', n) end

-- ---- The tree, changed all at once ------------------------------------------------
local changed, order = {}, {}
local function get(field)
    local value = changed[field]
    if value == nil then value = redis.call('HGET', 'sennit:tree', field) end
    return value
end
local function put(field, value)
    if changed[field] == nil then order[#order + 1] = field end
    changed[field] = value
end
local function add(field, change) put(field, number((tonumber(get(field) or 0)) + change)) end
local function write()
    local flat = {}
    for _, field in ipairs(order) do
        flat[#flat + 1] = field
        flat[#flat + 1] = changed[field]
    end
    if #flat > 0 then redis.call('HSET', 'sennit:tree', unpack(flat)) end
end

-- ---- Leases ------------------------------------------------------------------------
-- After a restart of the server all leases end (DIST-9).
local function begin_epoch()
    if redis.call('HGET', 'sennit:meta', 'run') == run then return end
    for _, job in ipairs(redis.call('ZRANGE', 'sennit:leases', 0, -1)) do
        redis.call('ZADD', 'sennit:queue', -2, job)
    end
    redis.call('DEL', 'sennit:leases', 'sennit:tokens', 'sennit:grants', 'sennit:granted')
    redis.call('HSET', 'sennit:meta', 'run', run)
end
local function expire()
    begin_epoch()
    for _, worker in ipairs(redis.call('ZRANGEBYSCORE', 'sennit:granted', '-inf', now)) do
        redis.call('ZREM', 'sennit:granted', worker)
        redis.call('HDEL', 'sennit:grants', worker)
    end
    for _, job in ipairs(redis.call('ZRANGEBYSCORE', 'sennit:leases', '-inf', now)) do
        redis.call('ZREM', 'sennit:leases', job)
        redis.call('HDEL', 'sennit:tokens', job)
        redis.call('ZADD', 'sennit:queue', -2, job)
        redis.call('HINCRBY', 'sennit:meta', 'expired', 1)
    end
end
local function drop_lease(job)
    redis.call('ZREM', 'sennit:leases', job)
    redis.call('HDEL', 'sennit:tokens', job)
end

-- ---- The budget: what was counted and what is granted never exceed it together -----------
local budget = tonumber(redis.call('HGET', 'sennit:meta', 'budget') or nil)
local function granted(worker) return tonumber(redis.call('HGET', 'sennit:grants', worker) or 0) end
local function drop_grant(worker)
    redis.call('HDEL', 'sennit:grants', worker)
    redis.call('ZREM', 'sennit:granted', worker)
end
-- Grants the worker a part of what is left, so that all workers are busy to the end.
local function grant(worker, milliseconds)
    if not budget or granted(worker) > 0 then return end
    local left = budget - tonumber(get('s:executions') or 0)
    for _, n in ipairs(redis.call('HVALS', 'sennit:grants')) do left = left - n end
    if left <= 0 then return end
    local alive = math.max(1, redis.call('ZCOUNT', 'sennit:workers', now - ALIVE, '+inf'))
    redis.call('HSET', 'sennit:grants', worker, number(math.max(1, math.floor(left / (2 * alive)))))
    redis.call('ZADD', 'sennit:granted', now + milliseconds, worker)
end

local function state(worker)
    local alive = redis.call('ZCOUNT', 'sennit:workers', now - ALIVE, '+inf')
    local idle = redis.call('ZCOUNT', 'sennit:idle', now - 2000, '+inf')
    return {get('open') or '-1', redis.call('ZCARD', 'sennit:queue'), alive, idle,
            redis.call('HGET', 'sennit:meta', 'stop') or '', run, budget and number(granted(worker or '')) or ''}
end
local function seen(worker) redis.call('ZADD', 'sennit:workers', now, worker) end

-- The open jobs of a domain are a list "3=0.25,7=0.125,": entries and their shares of the search. Large jobs come first
-- in the queue, deep and small ones first in a domain: the first `keep` of these are not queued, but returned.
local function enqueue(domain, entries, keep)
    local kept = {}
    for entry, share in string.gmatch(entries, '(%d+)=([^,]*)') do
        if #kept < keep then
            kept[#kept + 1] = domain .. '.' .. entry
        else
            redis.call('ZADD', 'sennit:queue', -share, domain .. '.' .. entry)
        end
    end
    return kept
end
local function count_of(list)
    local _, n = string.gsub(list, '=', '')
    return n
end
local function real(x) return string.format('%.17g', x) end
local function multiply(list, share)
    return (string.gsub(list, '=([^,]*)', function(part) return '=' .. string.format('%.9g', part * share) end))
end
-- Leases jobs to the caller; they are added to the answer.
local function lease(jobs, milliseconds, answer)
    if #jobs == 0 then return end
    local token = math.max(time[1] * 1000000 + time[2], tonumber(redis.call('HGET', 'sennit:meta', 'token') or 0) + 1)
    for _, job in ipairs(jobs) do
        redis.call('ZADD', 'sennit:leases', now + milliseconds, job)
        redis.call('HSET', 'sennit:tokens', job, number(token))
        answer[#answer + 1] = job
        answer[#answer + 1] = number(token)
        token = token + 1
    end
    redis.call('HSET', 'sennit:meta', 'token', number(token))
end
local function parts(job)
    local domain, entry = string.match(job, '^(%d+)%.(%d+)$')
    return domain, entry
end

-- ---- Domains ------------------------------------------------------------------------
local garbage = {}
-- One job or domain less below this domain; a domain with nothing left has finished.
local function settle(domain)
    while domain and domain ~= '' do
        local left = tonumber(get('d' .. domain .. ':l')) - 1
        put('d' .. domain .. ':l', number(left))
        if left > 0 then return end
        garbage[#garbage + 1] = domain
        domain = parts(get('d' .. domain .. ':p') or '')
    end
end
-- Returns the share of the job.
local function remove_open(domain, entry)
    local field, share = 'd' .. domain .. ':o', 0
    put(field, (string.gsub(get(field) or ',', ',' .. entry .. '=([^,]*),', function(part)
        share = tonumber(part)
        return ','
    end, 1)))
    return share
end
local function collect()
    for _, domain in ipairs(garbage) do
        local prefix = 'd' .. domain .. ':'
        local n = tonumber(get(prefix .. 'n') or 0)
        local at = 1
        while at <= n do
            local chunk = redis.call('HGET', 'sennit:tree', prefix .. 'c' .. number(at))
            redis.call('HDEL', 'sennit:tree', prefix .. 'c' .. number(at))
            if not chunk then break end
            local _, lines = string.gsub(chunk, '\n', '')
            at = at + lines
        end
        for _, name in ipairs({'n', 'p', 'l', 'o', 'w', 'j'}) do redis.call('HDEL', 'sennit:tree', prefix .. name) end
    end
end

-- ---- Calls ---------------------------------------------------------------------------
local calls = {}

-- identity, then pairs
function calls.init()
    local open = tonumber(get('open') or '0')
    if open > 0 and redis.call('HGET', 'sennit:meta', 'stop') == false then
        if redis.call('HGET', 'sennit:meta', 'identity') == ARGV[2] then return 'attached' end
        return 'other'
    end
    for _, key in ipairs({'tree', 'queue', 'leases', 'tokens', 'grants', 'granted', 'workers', 'idle', 'notes', 'bugs',
                            'meta'}) do
        redis.call('DEL', 'sennit:' .. key)
    end
    local id = number(math.max(time[1] * 1000000 + time[2], tonumber(current == '' and '0' or current) + 1))
    redis.call('HSET', 'sennit:meta', 'identity', ARGV[2], 'begun', number(now), 'id', id, 'run', run)
    for i = 3, #ARGV, 2 do redis.call('HSET', 'sennit:meta', ARGV[i], ARGV[i + 1]) end
    redis.call('ZADD', 'sennit:queue', 0, '0.0')
    redis.call('HSET', 'sennit:tree', 'open', '1', 'root', 'o')
    return 'done'
end

-- worker, want, lease in ms, jobs that the worker has
function calls.take()
    expire()
    seen(ARGV[2])
    local answer = {state(ARGV[2])}
    local open, stop = tonumber(answer[1][1]), answer[1][5]
    local queued, alive = answer[1][2], math.max(1, answer[1][3])
    if open <= 0 or stop ~= '' or outlived then return answer end
    if queued > 0 then grant(ARGV[2], ARGV[4]) end
    if budget and granted(ARGV[2]) == 0 then queued = 0 end
    local part = alive > 1 and math.max(1, math.floor(queued / (2 * alive))) or queued
    local n = math.min(tonumber(ARGV[3]), queued, part)
    local popped, got = n == 0 and {} or redis.call('ZPOPMIN', 'sennit:queue', n), {}
    for i = 1, #popped, 2 do got[#got + 1] = popped[i] end
    lease(got, ARGV[4], answer)
    if #got == 0 and ARGV[5] == '0' then drop_grant(ARGV[2]) end -- others can use it
    if #got == 0 then
        redis.call('ZADD', 'sennit:idle', now, ARGV[2])
    else
        redis.call('ZREM', 'sennit:idle', ARGV[2])
    end
    answer[1] = state(ARGV[2])
    return answer
end

-- The chunks of a domain after the first `known` entries.
local function news(domain, known)
    local n, at, all = tonumber(get('d' .. domain .. ':n') or 0), known + 1, {}
    while at <= n do
        local chunk = get('d' .. domain .. ':c' .. number(at))
        if not chunk then return nil end
        all[#all + 1] = chunk
        local _, lines = string.gsub(chunk, '\n', '')
        at = at + lines
    end
    return table.concat(all)
end

-- domain, known
function calls.fetch()
    local n = get('d' .. ARGV[2] .. ':n')
    if not n then return {'gone'} end
    return {'done', get('d' .. ARGV[2] .. ':p'), news(ARGV[2], tonumber(ARGV[3])) or ''}
end

-- domain, known, number of entries, open ones, entries
function calls.extend()
    local prefix = 'd' .. ARGV[2] .. ':'
    local n = tonumber(get(prefix .. 'n') or '-1')
    if n < 0 then return {'gone'} end
    if n > tonumber(ARGV[3]) then return {'stale', news(ARGV[2], tonumber(ARGV[3])) or ''} end
    if n < tonumber(ARGV[3]) then return {'gone'} end
    local jobs = count_of(ARGV[5])
    -- assumed to be as large as the existing ones on average
    local ever = tonumber(get(prefix .. 'j') or 0)
    local share = tonumber(get(prefix .. 'w') or 0) / (ever + 1)
    local open = string.gsub(ARGV[5], '=[^,]*', '=' .. string.format('%.9g', share))
    put(prefix .. 'n', number(n + ARGV[4]))
    put(prefix .. 'c' .. number(n + 1), ARGV[6])
    put(prefix .. 'o', (get(prefix .. 'o') or ',') .. open)
    put(prefix .. 'j', number(ever + jobs))
    add(prefix .. 'l', jobs)
    add('open', jobs)
    write()
    enqueue(ARGV[2], open, 0)
    redis.call('HINCRBY', 'sennit:meta', 'extensions', 1)
    redis.call('HINCRBY', 'sennit:meta', 'bytes', #ARGV[6])
    return {'done'}
end

local function share_of(job)
    local domain, entry = parts(job)
    return job == '0.0' and 1 or string.match(get('d' .. domain .. ':o') or '', ',' .. entry .. '=([^,]*),') or 0
end

local function give_up_root(fate)
    put('root', fate)
end

-- job, fate, name, n, open, entries
local function return_job(job, fate, name, n, open, entries)
    local domain, entry = parts(job)
    local root = job == '0.0'
    if fate == 'released' then return end
    local share = root and 1 or remove_open(domain, entry)
    if fate == 'over' then
        add('open', -1)
        if not root then settle(domain) else give_up_root('d') end
        return
    end
    local prefix, jobs = 'd' .. name .. ':', count_of(open)
    put(prefix .. 'n', n)
    put(prefix .. 'p', root and '' or job)
    put(prefix .. 'l', number(jobs))
    put(prefix .. 'o', ',' .. multiply(open, share))
    put(prefix .. 'c1', entries)
    put(prefix .. 'j', number(jobs))
    put(prefix .. 'w', real(share))
    add('open', jobs - 1)
    if root then give_up_root('d') end
end

-- ---- Progress --------------------------------------------------------------------------
-- The finished share of the search, if all children of a node that are known by now are equally large. What was
-- inserted later makes the shares of all others smaller: so it is computed from the domains above the open jobs. Also
-- returns how many entries these have.
local function finished()
    local shares, left, entries = {}, 0, 0
    local function share_of(job)
        if job == '0.0' then return 1 end
        local domain, entry = parts(job)
        local all = shares[domain]
        if not all then
            local above, above_of, children = get('d' .. domain .. ':p') or '', {}, {}
            for parent in string.gmatch(news(domain, 0) or '', '(%d+)[^\n]*\n') do
                parent = tonumber(parent)
                above_of[#above_of + 1] = parent
                children[parent] = (children[parent] or 0) + 1
            end
            all = {[0] = above == '' and 1 or share_of(above)}
            for i, parent in ipairs(above_of) do all[i] = (all[parent] or 0) / children[parent] end
            shares[domain] = all
            entries = entries + #above_of
        end
        return all[tonumber(entry)] or 0
    end
    for _, list in ipairs({'sennit:queue', 'sennit:leases'}) do
        for _, job in ipairs(redis.call('ZRANGE', list, 0, -1)) do left = left + share_of(job) end
    end
    return 1 - left > 1e-9 and 1 - left or 0, entries -- less than that is rounding
end

-- As estimator_note of core/estimate.c.
local function note_estimate()
    local executions, before = tonumber(get('s:executions') or 0), tonumber(get('e:executions') or 0)
    if executions < 10 or (before > 0 and executions < before * math.sqrt(2)) then return end
    local share = finished()
    if share <= 0 then return end
    local estimate, notes = math.log(executions / share), {}
    local function note(name, value)
        notes[#notes + 1] = 'e:' .. name
        notes[#notes + 1] = real(value)
    end
    local function remember(name, value) note(name, tonumber(get('e:' .. name) or 0) * 0.95 + value) end
    if before > 0 then
        local step = estimate - tonumber(get('e:estimate'))
        remember('drift', step)
        remember('variation', step ^ 2)
        remember('doublings', math.log(executions / before) / math.log(2))
        local share_before = tonumber(get('e:share') or 0)
        if share > share_before then
            note('tempo', math.max(tonumber(get('e:tempo') or 0) * 0.7, (executions - before) / (share - share_before)))
        end
    end
    note('share', share)
    note('executions', executions)
    note('estimate', estimate)
    redis.call('HSET', 'sennit:tree', unpack(notes))
end

-- Adds words for what was reached; returns whether there are enough different ones.
local function reach(words, enough)
    for word in string.gmatch(words, '%S+') do
        if not get('k:' .. word) then
            put('k:' .. word, '1')
            add('reached', 1)
        end
    end
    return enough > 0 and tonumber(get('reached') or 0) >= enough
end

-- worker, stop, cpu, lease in ms, returns, [job, token, fate, name, n, open, entries, keep]..., counts, bugs,
-- [identity, text]..., words reached, how many are enough, record
function calls.commit()
    local at, total, width = 7, tonumber(ARGV[6]), 8
    begin_epoch() -- an expired lease counts as long as no other worker has the job
    seen(ARGV[2])
    for i = 0, total - 1 do
        local job, token = ARGV[at + width * i], ARGV[at + width * i + 1]
        if redis.call('HGET', 'sennit:tokens', job) ~= token then
            redis.call('HINCRBY', 'sennit:meta', 'refused', 1)
            return {'refused', job}
        end
    end
    local rest = at + width * total
    local stats, bugs = ARGV[rest], tonumber(ARGV[rest + 1])
    if budget and tonumber(string.match(stats, ' executions=(%d+)') or 0) > granted(ARGV[2]) then
        redis.call('HINCRBY', 'sennit:meta', 'refused', 1)
        return {'refused', 'budget'}
    end
    for i = 0, bugs - 1 do redis.call('HSETNX', 'sennit:bugs', ARGV[rest + 2 + 2 * i], ARGV[rest + 3 + 2 * i]) end
    local size = 0
    for i = 0, total - 1 do
        local k = at + width * i
        return_job(ARGV[k], ARGV[k + 2], ARGV[k + 3], ARGV[k + 4], ARGV[k + 5], ARGV[k + 6])
        size = size + #ARGV[k + 6]
    end
    for name, value in string.gmatch(stats, '([%a_]+)=(%d+)') do
        if name == 'depth' or name == 'agents' then
            put('m:' .. name, number(math.max(tonumber(get('m:' .. name) or 0), tonumber(value))))
        else
            add('s:' .. name, tonumber(value))
        end
    end
    if ARGV[#ARGV] ~= '' then
        add('records', 1)
        put('r:' .. get('records'), ARGV[#ARGV])
    end
    local enough = reach(ARGV[#ARGV - 2], tonumber(ARGV[#ARGV - 1]))
    put('cpu', string.format('%.6f', tonumber(get('cpu') or 0) + tonumber(ARGV[4])))
    put('changed', number(now))
    write()
    drop_grant(ARGV[2])
    if tonumber(ARGV[5]) > 0 then grant(ARGV[2], ARGV[5]) end -- a worker that ends needs no grant
    local answer, full = {'done'}, budget and granted(ARGV[2]) == 0
    for i = 0, total - 1 do
        local k = at + width * i
        drop_lease(ARGV[k])
        if ARGV[k + 2] == 'released' then redis.call('ZADD', 'sennit:queue', -share_of(ARGV[k]), ARGV[k]) end
        if ARGV[k + 2] == 'split' then
            local open = get('d' .. ARGV[k + 3] .. ':o')
            lease(enqueue(ARGV[k + 3], open, full and 0 or tonumber(ARGV[k + 7])), ARGV[5], answer)
        end
    end
    local stop = ARGV[3] ~= '' and ARGV[3] or enough and 'enough' or
                 budget and tonumber(get('s:executions') or 0) >= budget and tonumber(get('open')) > 0 and 'executions'
    if stop then redis.call('HSETNX', 'sennit:meta', 'stop', stop) end
    collect()
    note_estimate()
    redis.call('HINCRBY', 'sennit:meta', 'commits', 1)
    redis.call('HINCRBY', 'sennit:meta', 'bytes', size)
    table.insert(answer, 2, state(ARGV[2]))
    return answer
end

-- worker, lease in ms, note, [job, token]...
function calls.renew()
    expire()
    seen(ARGV[2])
    redis.call('HSET', 'sennit:notes', ARGV[2], ARGV[4])
    for i = 5, #ARGV, 2 do
        if redis.call('HGET', 'sennit:tokens', ARGV[i]) ~= ARGV[i + 1] then return {'refused', ARGV[i]} end
    end
    for i = 5, #ARGV, 2 do redis.call('ZADD', 'sennit:leases', 'XX', now + ARGV[3], ARGV[i]) end
    if budget then redis.call('ZADD', 'sennit:granted', 'XX', now + ARGV[3], ARGV[2]) end
    return {'done', state(ARGV[2])}
end

function calls.stop()
    redis.call('DEL', 'sennit:writable') -- also works if the server is full
    redis.call('HSETNX', 'sennit:meta', 'stop', ARGV[2])
    redis.call('HSETNX', 'sennit:meta', 'note', ARGV[3])
    return {'done'}
end

-- number of records known: returns the next ones, about a megabyte of them
function calls.records()
    local all, size = {}, 0
    for i = tonumber(ARGV[2]) + 1, tonumber(get('records') or 0) do
        all[#all + 1] = get('r:' .. number(i)) or ''
        size = size + #all[#all]
        if size > 1000000 then break end
    end
    return {'done', all}
end

-- What the server answers to a write that changes nothing: '' or why it rejects all.
local function rejection()
    local answer = current ~= '' and redis.pcall('HSETNX', 'sennit:meta', 'id', '')
    return type(answer) == 'table' and answer.err or ''
end

-- The same for reports. It takes about a millisecond per thousand entries: where there are many, it is computed every
-- few seconds only.
local function recently_finished()
    local at, keep, known = string.match(redis.call('HGET', 'sennit:meta', 'finished') or '', '^(%d+) (%d+) (.*)$')
    if at and now - at < tonumber(keep) then return tonumber(known) end
    local share, entries = finished()
    if entries > 1000 then -- the server may be full
        redis.pcall('HSET', 'sennit:meta', 'finished',
                    number(now) .. ' ' .. number(math.min(entries / 5, 10000)) .. ' ' .. real(share))
    end
    return share
end

-- names of counts
function calls.report()
    local trouble = rejection() -- must be the first write
    expire()
    local counts = {}
    for name in string.gmatch(ARGV[2], '%S+') do
        counts[#counts + 1] = name .. '=' .. (get('s:' .. name) or get('m:' .. name) or '0')
    end
    local meta = function(name) return redis.call('HGET', 'sennit:meta', name) or '0' end
    local last = tonumber(get('changed') or 0)
    local done = tonumber(get('open') or 0) <= 0
    local seconds = ((done and last > 0 and last or now) - tonumber(meta('begun'))) / 1000
    local workers = {}
    for _, worker in ipairs(redis.call('ZRANGEBYSCORE', 'sennit:workers', now - ALIVE, '+inf')) do
        workers[#workers + 1] = worker .. ' ' .. (redis.call('HGET', 'sennit:notes', worker) or '')
    end
    return {'done', state(), table.concat(counts, ' '), get('cpu') or '0', string.format('%.3f', seconds),
            real(not get('open') and 0 or done and 1 or recently_finished()),
            meta('commits'), meta('extensions'), meta('refused'), meta('bytes'), redis.call('HLEN', 'sennit:bugs'),
            table.concat(workers, '\n'), redis.call('HGETALL', 'sennit:bugs'),
            get('e:executions') or '0', get('e:estimate') or '0', get('e:drift') or '0', get('e:variation') or '0',
            get('e:doublings') or '0', get('e:tempo') or '0', trouble}
end

-- At every connection: if the lists do not agree with the tree (a truncated log), they are reconstructed, and all
-- leases end (DIST-6). Returns whether the server was restarted.
function calls.check()
    local open = tonumber(get('open') or '-1')
    if open < 0 then return {'done', '0'} end
    local restarted = redis.call('HGET', 'sennit:meta', 'run') == run and '0' or '1'
    local queued, leased = redis.call('ZCARD', 'sennit:queue'), redis.call('ZCARD', 'sennit:leases')
    if queued + leased == open then return {'done', restarted} end
    local jobs = {}
    if get('root') == 'o' then jobs[1] = '0.0' end
    local all = redis.call('HGETALL', 'sennit:tree')
    for i = 1, #all, 2 do
        local domain = string.match(all[i], '^d(%d+):o$')
        if domain then
            for entry in string.gmatch(all[i + 1], '(%d+)=') do jobs[#jobs + 1] = domain .. '.' .. entry end
        end
    end
    if #jobs ~= open then return {'damaged', number(open), number(#jobs)} end
    redis.call('DEL', 'sennit:queue', 'sennit:leases', 'sennit:tokens', 'sennit:grants', 'sennit:granted')
    for i, job in ipairs(jobs) do redis.call('ZADD', 'sennit:queue', i, job) end
    redis.call('HINCRBY', 'sennit:meta', 'repaired', 1)
    return {'done', restarted}
end

if replaced and command == 'take' then return {{'0', 0, 0, 0, 'replaced', run}} end
if replaced and command ~= 'check' and command ~= 'init' then return {'refused', 'replaced'} end
if outlived and (command == 'fetch' or command == 'extend' or command == 'commit' or command == 'renew') then
    redis.call('HINCRBY', 'sennit:meta', 'refused', 1)
    return {'refused', 'outlived'}
end
-- A full server rejects only the first write of a script: it must not be one that deletes. Only `init` may begin with
-- that: what it deletes, the previous search, makes room.
local makes_room = command == 'init' and redis.call('EXISTS', 'sennit:tree') == 1
if (command == 'init' and not makes_room) or command == 'commit' or command == 'extend' then
    redis.call('SET', 'sennit:writable', '1')
end
if not calls[command] then return redis.error_reply('SENNIT unknown call ' .. command) end
return calls[command]()
