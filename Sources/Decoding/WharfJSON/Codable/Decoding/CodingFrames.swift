/// One step of the path from the top to a value: a key and the value below it.
struct CodingStep {
    /// The value's index on the tape; ``Tape/absent`` if the document has none.
    let node: UInt32
    let key: any CodingKey
}

/// The stack of keys from the top to the current value.
///
/// While all goes well it is only pushed and popped, without reference counting or copies of keys.
/// A `codingPath` is made from it if it is asked for or an error occurs.
///
/// Invariant: the memory is allocated here and freed in `deinit`; its first `count` frames are
/// initialised.
struct CodingFrames: ~Copyable {
    struct Frame: BitwiseCopyable {
        /// The value below the key. A container that outlived its place finds another value here.
        let node: UInt32
        // The place of the container that pushed the frame: see ``CodingPlace``.
        fileprivate let parentNode: UInt32
        fileprivate let parentDepth: UInt32
        fileprivate let parentLinked: Unmanaged<LinkedPath>?
        // The type of the key; nil for the element at `index` of an array.
        fileprivate let keyType: (any CodingKey.Type)?
        fileprivate let keyPointer: UnsafeRawPointer?
        fileprivate let index: Int
    }

    // Invariant: the first `count` of `capacity` frames are initialised. Frames are
    // `BitwiseCopyable`, so popping and freeing need no destruction.
    private var base = UnsafeMutablePointer<Frame>.allocate(capacity: 16)
    private var capacity = 16
    private(set) var count = 0

    deinit {
        base.deallocate()
    }

    /// - Parameter index: less than `count`.
    subscript(index: Int) -> Frame { base[index] }

    /// - Parameters:
    ///   - parent: must outlive the frame, as must the memory at `key`.
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

// Both are called only for frames that are pushed and not yet popped, so the pointers are valid.
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

/// The place of a decoder or container: a value and the path to it.
///
/// The path is the first `depth` frames, or `linked`. Nested containers and super decoders use
/// `linked`, because they may be used after other frames were pushed and popped.
struct CodingPlace {
    var node: UInt32
    var depth: UInt32
    var linked: LinkedPath?

    static var root: CodingPlace { CodingPlace(node: UInt32(Tape.root), depth: 0, linked: nil) }

    @inline(__always) var index: Int { Int(node) }
}

/// A path with one key more than the path of the container that made it.
final class LinkedPath {
    let step: CodingStep
    let parent: CodingPlace

    init(_ step: CodingStep, below parent: CodingPlace) {
        self.step = step
        self.parent = parent
    }
}

extension CodingPlace {
    /// Returns a place that stays valid after other containers and coders were used.
    func linked(_ node: Int, _ key: any CodingKey) -> CodingPlace {
        let step = CodingStep(node: UInt32(truncatingIfNeeded: node), key: key)
        return CodingPlace(node: step.node, depth: 0, linked: LinkedPath(step, below: self))
    }
}

extension CodingFrames {
    /// Returns the path to a place, from the top or from `rest`.
    ///
    /// `rest` is a place whose frames have been popped.
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
            // A frame at this depth may belong to another value by now. Its pointers must not be
            // read then.
            guard index < count, self[index].node == place.node else { return (place, steps.reversed()) }
            let frame = self[index]
            steps.append(CodingStep(node: frame.node, key: frame.key))
            place = frame.parent
        }
    }
}

extension CodableDocument {
    func path(_ place: CodingPlace) -> [any CodingKey] { steps(place).map(\.key) }

    /// Returns the path to a place, from the top.
    func steps(_ place: CodingPlace) -> [CodingStep] {
        let (rest, steps) = frames.steps(place)
        return rest.map { written(to: $0.index) + steps } ?? steps
    }

    /// Returns the path in terms of the document's keys.
    ///
    /// It is for a decoder that was kept and used after its frames were popped.
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

    /// Returns the path for a ``JSONIssue``: with the document's keys, unconverted by any strategy.
    func documentPath(_ steps: [CodingStep]) -> JSONPath {
        JSONPath(
            steps.map { step in
                if let element = step.key as? ElementKey, element.isIndex { return .index(element.intValue ?? 0) }
                let isThere = step.node > Tape.root && nodes[Int(step.node) - 1].kind == .string
                return .key(isThere ? keyText(Int(step.node) - 1) : step.key.stringValue)
            })
    }
}

/// The parent of each value of a document.
///
/// It is built when the first decoder that outlived its frames asks for its path.
struct TapeParents {
    /// The parents by node; 0 for a node that is not a value.
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
