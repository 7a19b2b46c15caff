import WharfJSON

/// Decodes one document again, after its type has refused it, and finds all that the type would refuse.
///
/// A synthesized `init(from:)` ends at its first error. So a type whose decoding failed is run once more with the value that failed
/// filled by one that can stand in, until it ends well or nothing can stand in. An error that a type catches is none. What a type
/// throws after something was filled may be due to that, and is not reported.
///
/// Each value is decoded once, and each type above it run once for each of its failed calls.
final class Examiner {
    let standIns: StandIns
    /// The keys that were asked for, by object; nil: all of them.
    private var asked: [Int: Set<String>?] = [:]
    private var objects: [JSONNodeDecoder] = []

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
                value: standIns.value(of: type), failure: error, findings: findings(of: error, in: type, at: node))
        }
    }

    private func composite<Value: Decodable>(_ type: Value.Type, at node: JSONNodeDecoder) -> Examined<Value> {
        let calls = Calls()
        let decoder = ExaminedDecoder(node: node, calls: calls, examiner: self)
        var examined = Examined<Value>()
        while true {
            calls.begin()
            do {
                // By `type` and not by `Value`: it may be a subclass.
                examined.value = try type.init(from: decoder)
                if examined.failure == nil, let value = examined.value { standIns.keep(value) }
                return examined
            } catch {
                if let call = calls.index(of: error) {
                    examined.failure = examined.failure ?? error
                    examined.findings += calls.findings(at: call)
                    // What is no object at all hides none of the fields that it should have.
                    if !calls.opened(node, at: call) {
                        if calls.fill(call) { continue }
                        hide(type, in: &examined)
                    }
                } else if examined.failure == nil {
                    examined.failure = error
                    examined.findings = findings(of: error, in: type, at: node)
                    if calls.opensContainer { hide(type, in: &examined) }
                } else {
                    hide(type, in: &examined)
                }
                examined.value = standIns.value(of: type)
                return examined
            }
        }
    }

    private func hide<Value>(_ type: Value.Type, in examined: inout Examined<Value>) {
        guard let last = examined.findings.indices.last, examined.findings[last].hides == nil else { return }
        examined.findings[last].hides = "\(type)"
    }

    private func tooDeep<Value: Decodable>(_ node: JSONNodeDecoder) -> Examined<Value> {
        let issue = node.issue(.tooDeep, expected: "levels that the stack has room for")
        let error = DecodingError.dataCorrupted(
            .init(codingPath: node.codingPath, debugDescription: "Too many nested arrays or dictionaries."))
        return Examined(failure: error, findings: [Finding(issue)])
    }
}

/// What errors say.
extension Examiner {
    func findings(of error: any Error, in type: Any.Type, at node: JSONNodeDecoder) -> [Finding] {
        guard let error = error as? DecodingError else {
            if let error = error as? JSONError { return error.issues.map { Finding($0) } }
            let issue = node.issue(.invalidValue, expected: "another value")
            return [Finding(.refused, at: issue, "\(type) refused it: \(error)")]
        }
        if case .dataCorrupted(let context) = error, context.underlyingError == nil,
            let expected = cases(of: type), node.kind != .object, node.kind != .array
        {
            return [Finding(node.issue(.unknownCase, expected: expected))]
        }
        guard let error = JSONError(behind: node.located(error)) else {
            return [Finding(.invalidValue, at: node.issue(.invalidValue, expected: ""), error.context.debugDescription)]
        }
        return error.issues.map { Finding($0) }
    }

    private func cases(of type: Any.Type) -> String? {
        guard let type = type as? any RawRepresentable.Type else { return nil }
        return expectation(of: type)
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
