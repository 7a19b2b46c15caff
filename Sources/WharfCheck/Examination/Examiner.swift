import WharfJSON

/// Decodes one document again, after its type has refused it, and finds all that the type would
/// refuse.
///
/// A synthesized `init(from:)` ends at its first error. So a type whose decoding failed is run once
/// more with the value that failed filled by one that can stand in, until it ends well or nothing
/// can stand in. An error that a type catches is none. What a type throws after something was
/// filled may be due to that, and is not reported; nor is what it asks for when one value stands in
/// and not when another does, of the few that ``StandIns`` has of a type.
///
/// Each value is decoded once. The type above it is run once for each of its failed calls, and then
/// once for each other value that could stand in.
final class Examiner {
    let standIns: StandIns
    /// The keys that were asked for, by object; nil: all of them.
    private var asked: [Int: Set<String>?] = [:]
    private var objects: [JSONNodeDecoder] = []
    /// What was found is not to be trusted.
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

    /// What is read in one step, by a strategy or otherwise.
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
        var told: Set<Int> = []
        while true {
            calls.begin()
            do {
                // By `type` and not by `Value`: it may be a subclass.
                let value = try type.init(from: decoder)
                guard let failure else {
                    standIns.keep(value)
                    return .good(value)
                }
                let isCertain = calls.isIndependent { _ = try? type.init(from: decoder) }
                if isCertain { found += calls.takeFilledAtOnce(&told) } else { hide(type, in: &found, calls) }
                return Examined(value: value, failure: failure, findings: found)
            } catch {
                if failure != nil, !calls.isIndependent({ _ = try? type.init(from: decoder) }) {
                    hide(type, in: &found, calls)
                } else if let call = calls.index(of: error) {
                    failure = failure ?? error
                    found += calls.takeFilledAtOnce(&told)
                    if told.insert(call).inserted { found += calls.findings(at: call) }
                    // What is no object at all hides none of the fields that it should have.
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

    /// The type has not come to its end, so that nobody knows what else it would have asked for.
    private func hide<Value>(_ type: Value.Type, in findings: inout [Finding], _ calls: Calls) {
        for object in calls.objects { askedForAll(of: object) }
        guard let last = findings.indices.last, findings[last].hides == nil else { return }
        findings[last].hides = "\(type)"
    }

    /// That is about this examination, which takes more of the stack than decoding does.
    private func tooDeep<Value: Decodable>(_ node: JSONNodeDecoder) -> Examined<Value> {
        hasRunOutOfStack = true
        let error = DecodingError.dataCorrupted(
            .init(codingPath: node.codingPath, debugDescription: "Too many nested arrays or dictionaries."))
        return Examined(failure: error)
    }
}

/// Who asked for which key.
extension Examiner {
    func opened(_ object: JSONNodeDecoder) {
        guard asked[object.id] == nil else { return }
        asked[object.id] = .some([])
        objects.append(object)
    }

    func asked(for key: String, of object: JSONNodeDecoder) {
        guard case .some(.some(var keys)) = asked[object.id] else { return }
        asked[object.id] = .some(nil)
        keys.insert(key)
        asked[object.id] = .some(keys)
    }

    /// What asks for the list of keys has seen each of them.
    func askedForAll(of object: JSONNodeDecoder) {
        asked[object.id] = .some(nil)
    }

    /// The keys that no type asked for, of those objects that one has looked into.
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
