#if os(Linux)
/// A semaphore per host with a FIFO of those that wait.
///
/// A transfer holds a permit while bytes may move. One that waits for its reader releases it, so
/// bodies that are not read keep no other request from the host.
struct HostQueue<Item> {
    private struct Host {
        var running = 0
        var waiting: [Item] = []
        /// Index of the first that waits: removing at the front of an array would move all others.
        var first = 0
        /// Whether one connection carries all requests, so that they need no permits.
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

    /// - Parameter limit: of permits per host, at least one.
    init(limit: Int) { self.limit = max(1, limit) }

    /// - Returns: whether it got a permit. Otherwise it waits.
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

    /// Takes a permit back without waiting, also beyond the limit: the connection is there already.
    mutating func reenter(_ name: String) { hosts[name, default: Host()].running += 1 }

    /// Releases a permit.
    ///
    /// - Returns: the item that gets it.
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

    /// Forgets an item that waits.
    mutating func withdraw(from name: String, where isItem: (Item) -> Bool) {
        guard var host = hosts[name], let index = host.waiting[host.first...].firstIndex(where: isItem) else { return }
        host.waiting.remove(at: index)
        if !host.hasWaiting { (host.waiting, host.first) = ([], 0) }
        hosts[name] = host
    }

    /// - Returns: the items that waited; each has a permit.
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

    /// - Returns: the items that waited.
    mutating func removeAll() -> [Item] {
        defer { hosts = [:] }
        return hosts.values.flatMap { $0.waiting[$0.first...] }
    }
}
#endif
