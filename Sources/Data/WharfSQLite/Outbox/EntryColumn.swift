internal import WharfCore

/// An entry's class, targets and dependencies, encoded in one column.
///
/// No statement filters by any of them alone.
struct EntryColumn: Hashable {
    var deliveryClass: DeliveryClass
    /// The targets, with one per destination.
    var targets: [OutboxEntry.Target]
    var dependencies: Set<OutboxEntry.ID>

    private static let version: UInt8 = 1

    init(_ entry: OutboxEntry) {
        deliveryClass = entry.deliveryClass
        targets = entry.targets
        dependencies = entry.dependencies
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(Self.version)
        writer.put(UInt8(truncatingIfNeeded: deliveryClass.number))
        switch deliveryClass {
        case .durable: break
        case .bounded(let limit): writer.put(UInt64(bitPattern: Int64(limit)))
        case .expiring(let duration, _): writer.put(duration)
        }
        writer.put(count: targets.count)
        for target in targets {
            writer.put(counted: target.destination.utf8)
            switch target.condition {
            case .always: writer.put(UInt8(0))
            case .afterFailure(let other):
                writer.put(UInt8(1))
                writer.put(counted: other.utf8)
            case .unlessDelivered(let other, let duration):
                writer.put(UInt8(2))
                writer.put(counted: other.utf8)
                writer.put(duration)
            }
        }
        writer.put(count: dependencies.count)
        // Sorted, so equal sets give equal bytes.
        for id in dependencies.sorted() { writer.put(counted: id.text.utf8) }
        return writer.bytes
    }

    /// Returns nil if the bytes are damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard reader.byte() == Self.version, let deliveryClass = reader.deliveryClass(), let count = reader.count()
        else { return nil }
        self.deliveryClass = deliveryClass
        targets = []
        // The count may be damaged, so nothing is reserved for it. The first missing byte ends the
        // loop.
        for _ in 0..<count {
            guard let destination = reader.text(), let condition = reader.condition() else { return nil }
            targets.append(OutboxEntry.Target(destination, condition))
        }
        guard let count = reader.count() else { return nil }
        dependencies = []
        for _ in 0..<count {
            guard let id = reader.text() else { return nil }
            dependencies.insert(OutboxEntry.ID(id))
        }
        // Bytes left over mean another layout.
        guard reader.isAtEnd else { return nil }
    }
}

extension DeliveryClass {
    /// The class's number in the columns `class`.
    var number: Int64 {
        switch self {
        case .durable: 0
        case .bounded: Self.bounded
        case .expiring(_, latestWins: false): Self.expiring
        case .expiring(_, latestWins: true): Self.latestWins
        }
    }

    static let bounded: Int64 = 1
    /// The lower of the two expiring classes; ``latestWins`` is the other.
    static let expiring: Int64 = 2
    static let latestWins: Int64 = 3
}

extension ByteWriter {
    fileprivate mutating func put(_ duration: Duration) {
        put(UInt64(bitPattern: duration.components.seconds))
        put(UInt64(bitPattern: duration.components.attoseconds))
    }
}

extension ByteReader {
    fileprivate mutating func duration() -> Duration? {
        guard let seconds = word(), let attoseconds = word() else { return nil }
        return Duration(
            secondsComponent: Int64(bitPattern: seconds), attosecondsComponent: Int64(bitPattern: attoseconds))
    }

    fileprivate mutating func deliveryClass() -> DeliveryClass? {
        switch byte() {
        case 0: .durable
        case 1: word().map { .bounded(Int(Int64(bitPattern: $0))) }
        case 2: duration().map { .expiring(after: $0, latestWins: false) }
        case 3: duration().map { .expiring(after: $0, latestWins: true) }
        default: nil
        }
    }

    fileprivate mutating func condition() -> OutboxEntry.Target.DeliveryCondition? {
        switch byte() {
        case 0: return .always
        case 1: return text().map { .afterFailure(of: $0) }
        case 2:
            guard let other = text(), let duration = duration() else { return nil }
            return .unlessDelivered(by: other, within: duration)
        default: return nil
        }
    }
}
