import WharfJSON

/// Decodes a refused document again and finds every error that its type would report.
///
/// A synthesized `init(from:)` ends at its first error. So the type runs again with a stand-in for
/// the failed value, until it ends without an error or no stand-in is left.
///
/// An error that the type catches is not reported. An error that it throws after a value was filled
/// is not reported either, as the stand-in may be the cause. ``StandIns`` has a few values per
/// type. A request that depends on the choice among them is not reported.
///
/// Each value is decoded once. The type above it runs once for each of its failed calls, and once
/// more for each alternative stand-in.
final class Examiner {
    let standIns: StandIns
    /// The keys that were asked for, by object id; nil means all keys.
    private var asked: [Int: Set<String>?] = [:]
    // `objects` has each opened object once. Once an entry of `asked` is nil, it stays nil.
    private var objects: [JSONNodeDecoder] = []
    /// Whether the stack ran out, so that the findings can't be trusted.
    private(set) var hasRunOutOfStack = false

    init(_ standIns: StandIns) {
        self.standIns = standIns
    }

    func examine<Value: Decodable>(_ type: Value.Type, at node: JSONNodeDecoder) -> Examined<Value> {
        if node.isStackUsedUp { return tooDeep(node) }
        if let collection = Value.self as? any ExaminedCollection.Type,
            let examined = collection.examine(at: node, by: self) as? Examined<Value>
        {
            return examined
        }
        return node.isRouted(type) ? scalar(type, at: node) : composite(type, at: node)
    }

    /// Decodes a value that is read in one step, by a strategy or as a primitive.
    private func scalar<Value: Decodable>(_ type: Value.Type, at node: JSONNodeDecoder) -> Examined<Value> {
        do {
            return .good(try node.decode(type))
        } catch {
            return Examined(
                failure: error, findings: findings(of: error, in: type, at: node), standIns: standIns.values(of: type))
        }
    }

    private func composite<Value: Decodable>(_ type: Value.Type, at node: JSONNodeDecoder) -> Examined<Value> {
        let calls = Calls()
        let decoder = ExaminedDecoder(node: node, calls: calls, examiner: self)
        var failure: (any Error)?
        var found: [Finding] = []
        var reported: Set<Int> = []
        while true {
            // Each round answers the calls of the last one alike, and one failed call more by a
            // stand-in.
            calls.begin()
            do {
                // Uses `type` because it may be a subclass of `Value`.
                let value = try type.init(from: decoder)
                guard let failure else {
                    standIns.keep(value)
                    return .good(value)
                }
                // If the calls depend on the stand-ins, the type may have gone a way that the
                // document does not lead to.
                let isCertain = calls.isIndependent { _ = try? type.init(from: decoder) }
                if isCertain { found += calls.takeFilledAtOnce(&reported) } else { hide(type, in: &found, calls) }
                return Examined(value: value, failure: failure, findings: found)
            } catch {
                if failure != nil, !calls.isIndependent({ _ = try? type.init(from: decoder) }) {
                    hide(type, in: &found, calls)
                } else if let call = calls.index(of: error) {
                    failure = failure ?? error
                    found += calls.takeFilledAtOnce(&reported)
                    if reported.insert(call).inserted { found += calls.findings(at: call) }
                    // If the value is not an object at all, the error does not hide errors about
                    // its fields.
                    if !calls.opened(node, at: call) {
                        if calls.fill(call) { continue }
                        hide(type, in: &found, calls)
                    }
                } else if failure == nil {
                    failure = error
                    found = findings(of: error, in: type, at: node)
                    if calls.opensContainer { hide(type, in: &found, calls) }
                } else {
                    hide(type, in: &found, calls)
                }
                return Examined(failure: failure ?? error, findings: found, standIns: standIns.values(of: type))
            }
        }
    }

    /// Notes that the type did not finish, so its remaining requests are unknown.
    private func hide<Value>(_ type: Value.Type, in findings: inout [Finding], _ calls: Calls) {
        for object in calls.objects { askedForAll(of: object) }
        guard let last = findings.indices.last, findings[last].hides == nil else { return }
        findings[last].hides = "\(type)"
    }

    /// Reports that the examination ran out of stack, of which it needs more than decoding.
    private func tooDeep<Value: Decodable>(_ node: JSONNodeDecoder) -> Examined<Value> {
        hasRunOutOfStack = true
        let error = DecodingError.dataCorrupted(
            .init(codingPath: node.codingPath, debugDescription: "Too many nested arrays or dictionaries."))
        return Examined(failure: error)
    }
}

/// Records the keys that types ask for.
extension Examiner {
    func opened(_ object: JSONNodeDecoder) {
        guard asked[object.id] == nil else { return }
        asked[object.id] = .some([])
        objects.append(object)
    }

    func asked(for key: String, of object: JSONNodeDecoder) {
        // Without an entry no type opened the object; with nil all keys were asked for already.
        guard case .some(.some(var keys)) = asked[object.id] else { return }
        asked[object.id] = .some(nil)
        // The entry was emptied before, so the set has one owner and is changed in place.
        keys.insert(key)
        asked[object.id] = .some(keys)
    }

    /// Notes that the type listed the keys, and so has seen each of them.
    func askedForAll(of object: JSONNodeDecoder) {
        asked[object.id] = .some(nil)
    }

    /// Returns the keys that no type asked for, in the objects that a type opened.
    func ignoredKeys() -> [Finding] {
        objects.flatMap { object -> [Finding] in
            guard case .some(.some(let keys)) = asked[object.id] else { return [] }
            return object.keys().filter { !keys.contains($0.name) }.map { key in
                let issue = object.issue(at: key.offset, below: key.text)
                return Finding(.ignoredKey, at: issue, "no type reads this key")
            }
        }
    }
}
