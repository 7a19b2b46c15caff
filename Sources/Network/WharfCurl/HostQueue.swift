#if os(Linux)
/// A semaphore per host with a FIFO queue of waiting items.
///
/// A transfer holds a permit while bytes may move. A transfer that waits for its reader releases
/// it, so unread bodies block no other request to the host.
struct HostQueue<Item> {
    // Invariants of a host: an item waits only while all permits are taken; a multiplexed host has
    // no waiting items; `waiting[..<first]` was dequeued before.
    private struct Host {
        var running = 0
        var waiting: [Item] = []
        /// The index of the first waiting item: removing it from the array would move all others.
        var first = 0
        /// Whether one connection carries all requests (HTTP/2), so that they need no permits. The
        /// last response decides.
        var isMultiplexed = false

        var hasWaiting: Bool { first < waiting.count }

        mutating func dequeue() -> Item {
            defer {
                first += 1
                // All items before `first` were taken. An emptied array releases them.
                if first == waiting.count { (waiting, first) = ([], 0) }
            }
            return waiting[first]
        }
    }

    /// How many hosts the table has before it drops idle ones that are multiplexed.
    static var longestMemory: Int { 256 }

    private let limit: Int
    private var hosts: [String: Host] = [:]

    /// The number of hosts in the table.
    var count: Int { hosts.count }

    /// - Parameter limit: the number of permits per host, at least one.
    init(limit: Int) { self.limit = max(1, limit) }

    /// - Returns: whether the item got a permit. Otherwise it waits in the queue.
    mutating func enter(_ item: Item, at name: String) -> Bool {
        var host = hosts[name] ?? Host()
        defer { hosts[name] = host }
        // A multiplexed host counts its transfers too: `leave` would otherwise go below zero.
        guard host.isMultiplexed || host.running < limit else {
            host.waiting.append(item)
            return false
        }
        host.running += 1
        return true
    }

    /// Acquires a permit without waiting, even beyond the limit: the connection exists already.
    mutating func reenter(_ name: String) { hosts[name, default: Host()].running += 1 }

    /// Releases a permit.
    ///
    /// - Returns: the waiting item that gets it.
    mutating func leave(_ name: String) -> Item? {
        guard var host = hosts[name] else { return nil }
        host.running -= 1
        guard host.hasWaiting, host.running < limit else {
            keep(host, at: name)
            return nil
        }
        host.running += 1
        let item = host.dequeue()
        hosts[name] = host
        return item
    }

    /// Removes a waiting item.
    mutating func withdraw(from name: String, where isItem: (Item) -> Bool) {
        guard var host = hosts[name], let index = host.waiting[host.first...].firstIndex(where: isItem) else { return }
        host.waiting.remove(at: index)
        if !host.hasWaiting { (host.waiting, host.first) = ([], 0) }
        hosts[name] = host
    }

    /// - Returns: the waiting items; each has a permit now.
    mutating func multiplex(_ name: String) -> [Item] {
        var host = hosts[name] ?? Host()
        // Each response of an HTTP/2 host calls this; the second one has no work.
        guard !host.isMultiplexed || host.hasWaiting else { return [] }
        let waiting = Array(host.waiting[host.first...])
        host.isMultiplexed = true
        // All waiting items start now, and each calls `leave` at its end.
        host.running += waiting.count
        (host.waiting, host.first) = ([], 0)
        keep(host, at: name)
        return waiting
    }

    /// Limits a host again, because it has answered without multiplexing. Running items go on,
    /// even beyond the limit.
    mutating func endMultiplexing(_ name: String) {
        // Each response of an HTTP/1 host calls this, and must not add the host.
        guard var host = hosts[name], host.isMultiplexed else { return }
        host.isMultiplexed = false
        keep(host, at: name)
    }

    /// Stores a host, or drops it if it is idle. The table would otherwise grow with each host.
    private mutating func keep(_ host: Host, at name: String) {
        hosts[name] = host
        // The flag of a multiplexed host survives while the table is small. Otherwise, after each
        // pause, all requests but the first few would wait for a response.
        let mayGo = !host.isMultiplexed || hosts.count > Self.longestMemory
        if host.running == 0, !host.hasWaiting, mayGo { hosts[name] = nil }
    }

    /// - Returns: the waiting items.
    mutating func removeAll() -> [Item] {
        defer { hosts = [:] }
        return hosts.values.flatMap { $0.waiting[$0.first...] }
    }
}
#endif
