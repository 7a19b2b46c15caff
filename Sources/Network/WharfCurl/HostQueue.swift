#if os(Linux)
/// A semaphore per host with a FIFO queue of waiting items.
///
/// A transfer holds a permit while bytes may move. A transfer that waits for its reader releases
/// it, so unread bodies block no other request to the host.
struct HostQueue<Item> {
    private struct Host {
        var running = 0
        var waiting: [Item] = []
        /// The index of the first waiting item: removing it from the array would move all others.
        var first = 0
        /// Whether one connection carries all requests (HTTP/2), so that they need no permits.
        var isMultiplexed = false

        var hasWaiting: Bool { first < waiting.count }

        mutating func dequeue() -> Item {
            defer {
                first += 1
                if first == waiting.count { (waiting, first) = ([], 0) }
            }
            return waiting[first]
        }
    }

    private let limit: Int
    private var hosts: [String: Host] = [:]

    /// - Parameter limit: the number of permits per host, at least one.
    init(limit: Int) { self.limit = max(1, limit) }

    /// - Returns: whether the item got a permit. Otherwise it waits in the queue.
    mutating func enter(_ item: Item, at name: String) -> Bool {
        var host = hosts[name] ?? Host()
        defer { hosts[name] = host }
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
            hosts[name] = host.running == 0 && !host.hasWaiting && !host.isMultiplexed ? nil : host
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
        guard !host.isMultiplexed || host.hasWaiting else { return [] }
        let waiting = Array(host.waiting[host.first...])
        host.isMultiplexed = true
        host.running += waiting.count
        (host.waiting, host.first) = ([], 0)
        hosts[name] = host
        return waiting
    }

    /// - Returns: the waiting items.
    mutating func removeAll() -> [Item] {
        defer { hosts = [:] }
        return hosts.values.flatMap { $0.waiting[$0.first...] }
    }
}
#endif
