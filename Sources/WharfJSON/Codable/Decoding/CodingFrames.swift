/// One key of the way from the top to a value, and the value below it.
struct CodingStep {
    /// Its index on the tape; ``Tape/absent`` where the document has none.
    let node: UInt32
    let key: any CodingKey
}

/// The keys that decoding went down by, from the top to where it stands.
///
/// Only pushed and popped while all goes well, without a reference counted or a key copied. A
/// `codingPath` is made of it when somebody asks or something fails.
///
/// The memory is allocated here and freed in `deinit`; its first `count` frames are initialised.
struct CodingFrames: ~Copyable {
    struct Frame: BitwiseCopyable {
        /// The value below the key. A container that outlived its place is known by finding another
        /// one here.
        let node: UInt32
        // Where the container stands that went down: see ``CodingPlace``.
        fileprivate let parentNode: UInt32
        fileprivate let parentDepth: UInt32
        fileprivate let parentLinked: Unmanaged<LinkedPath>?
        // A key of this type; nil: the element at `index` of an array.
        fileprivate let keyType: (any CodingKey.Type)?
        fileprivate let keyPointer: UnsafeRawPointer?
        fileprivate let index: Int
    }

    private var base = UnsafeMutablePointer<Frame>.allocate(capacity: 16)
    private var capacity = 16
    private(set) var count = 0

    deinit {
        base.deallocate()
    }

    /// - Parameter index: below `count`.
    subscript(index: Int) -> Frame { base[index] }

    /// - Parameters:
    ///   - parent: outlives the frame, as does what `key` points to.
    ///   - key: nil for the element at `index` of an array.
    @inline(__always) mutating func push<Key: CodingKey>(
        _ node: UInt32, _ key: UnsafePointer<Key>?, _ index: Int, below parent: borrowing CodingPlace
    ) {
        if _slowPath(count == capacity) { grow() }
        let frame = Frame(
            node: node, parentNode: parent.node, parentDepth: parent.depth,
            parentLinked: parent.linked.map(Unmanaged.passUnretained), keyType: key == nil ? nil : Key.self,
            keyPointer: UnsafeRawPointer(key), index: index)
        (base + count).initialize(to: frame)
        count += 1
    }

    @inline(__always) mutating func pop() { count -= 1 }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}

// Both are called only for frames that have been pushed and not popped, so what they point to is
// there.
extension CodingFrames.Frame {
    fileprivate var parent: CodingPlace {
        CodingPlace(node: parentNode, depth: parentDepth, linked: parentLinked?.takeUnretainedValue())
    }

    fileprivate var key: any CodingKey {
        guard let keyType, let keyPointer else { return ElementKey(index: index) }
        func load<Key: CodingKey>(_ type: Key.Type) -> any CodingKey {
            keyPointer.assumingMemoryBound(to: type).pointee
        }
        return load(keyType)
    }
}

/// Where a decoder or container stands: a value, and the way to it, which is the first `depth`
/// frames; or `linked`, for nested containers and super decoders, which may be used when others
/// have been pushed and popped since.
struct CodingPlace {
    var node: UInt32
    var depth: UInt32
    var linked: LinkedPath?

    static var root: CodingPlace { CodingPlace(node: UInt32(Tape.root), depth: 0, linked: nil) }

    @inline(__always) var index: Int { Int(node) }
}

/// A way with one key more than that of the container it was made by.
final class LinkedPath {
    let step: CodingStep
    let parent: CodingPlace

    init(_ step: CodingStep, below parent: CodingPlace) {
        self.step = step
        self.parent = parent
    }
}

extension CodingPlace {
    /// A place for a container or coder that may be used when others have been.
    func linked(_ node: Int, _ key: any CodingKey) -> CodingPlace {
        let step = CodingStep(node: UInt32(truncatingIfNeeded: node), key: key)
        return CodingPlace(node: step.node, depth: 0, linked: LinkedPath(step, below: self))
    }
}

extension CodingFrames {
    /// The way to a place, from the top, or from `rest` on: a place that was left in the meantime.
    func steps(_ place: CodingPlace) -> (rest: CodingPlace?, steps: [CodingStep]) {
        var steps: [CodingStep] = []
        var place = place
        while true {
            if let linked = place.linked {
                steps.append(linked.step)
                place = linked.parent
                continue
            }
            guard place.depth > 0 else { return (nil, steps.reversed()) }
            let index = Int(place.depth) - 1
            guard index < count, self[index].node == place.node else { return (place, steps.reversed()) }
            let frame = self[index]
            steps.append(CodingStep(node: frame.node, key: frame.key))
            place = frame.parent
        }
    }
}

extension CodableDocument {
    func path(_ place: CodingPlace) -> [any CodingKey] { steps(place).map(\.key) }

    /// The way to a place, from the top.
    func steps(_ place: CodingPlace) -> [CodingStep] {
        let (rest, steps) = frames.steps(place)
        return rest.map { written(to: $0.index) + steps } ?? steps
    }

    /// The way as the document has it: for a decoder that was kept and used after its place was
    /// left.
    private func written(to node: Int) -> [CodingStep] {
        var steps: [CodingStep] = []
        var current = node
        while current > Tape.root {
            let (parent, index) = parents.of(current)
            let isKey = nodes[parent].kind == .object
            let key = isKey ? ElementKey(stringValue: keyText(current - 1)) : ElementKey(index: index)
            steps.append(CodingStep(node: UInt32(current), key: key))
            current = parent
        }
        return steps.reversed()
    }

    /// As ``JSONIssue`` has it: with the keys that the document has, whatever a key strategy made
    /// of them.
    func documentPath(_ steps: [CodingStep]) -> JSONPath {
        JSONPath(
            steps.map { step in
                if let element = step.key as? ElementKey, element.isIndex { return .index(element.intValue ?? 0) }
                let isThere = step.node > Tape.root && nodes[Int(step.node) - 1].kind == .string
                return .key(isThere ? keyText(Int(step.node) - 1) : step.key.stringValue)
            })
    }
}

/// What each value of a document lies in: made once, when the first decoder that was kept asks for
/// its way.
struct TapeParents {
    /// By node; of a node that is no value, 0.
    private let parents: [UInt32]
    private let indexes: [UInt32]

    init(_ document: CodableDocument) {
        let count = document.following(Tape.root)
        var parents = [UInt32](repeating: 0, count: count)
        var indexes = parents
        var open = [Tape.root]
        while let parent = open.popLast() {
            guard document.isContainer(parent) else { continue }
            let isObject = document.nodes[parent].kind == .object
            var child = parent + 2
            var index: UInt32 = 0
            while child < Int(document.nodes[parent].end) {
                let value = isObject ? child + 1 : child
                parents[value] = UInt32(parent)
                indexes[value] = index
                if document.isContainer(value) { open.append(value) }
                child = document.following(value)
                index += 1
            }
        }
        self.parents = parents
        self.indexes = indexes
    }

    /// - Parameter node: a value below the root.
    func of(_ node: Int) -> (parent: Int, index: Int) { (Int(parents[node]), Int(indexes[node])) }
}
