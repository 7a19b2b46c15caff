public import WharfCore
public import WharfJSON

/// The format in which PATCH sends the difference of two payloads.
public enum PatchFormat: Hashable, Sendable {
    /// JSON Merge Patch (RFC 7396): the changed members, and null for removed ones.
    ///
    /// A member can't be set to null, only removed. An array is sent as a whole.
    case mergePatch
    /// JSON Patch (RFC 6902): a list of operations.
    ///
    /// Without `If-Match` the request tests the old value of each member that it changes, with all
    /// nested values. The service then refuses an edit that would overwrite another one, even if it
    /// has no entity tags.
    ///
    /// - A value that was null or missing is not tested, because services disagree about the
    ///   difference.
    /// - The payload must encode values, such as dates, exactly as the service writes them.
    ///   Otherwise each test fails, and each edit is a conflict.
    /// - An array is sent as a whole.
    case jsonPatch

    var contentType: String {
        switch self {
        case .mergePatch: "application/merge-patch+json"
        case .jsonPatch: "application/json-patch+json"
        }
    }

    /// Returns the patch document that turns `base` into `changed`.
    ///
    /// - Parameters:
    ///   - base: the service's payload; nil if it is not known, and all members are sent then.
    ///   - testsBase: whether a JSON Patch fails if the service's values differ from the base.
    func difference(from base: JSONValue?, to changed: JSONValue, testsBase: Bool) -> JSONValue {
        // An unknown base is an empty object: all members are sent.
        let (base, changed) = (base?.inOrder ?? JSONValue(.object([])), changed.inOrder)
        switch self {
        case .mergePatch: return Self.mergePatch(from: base, to: changed)
        case .jsonPatch:
            var operations: [JSONValue] = []
            Self.append(from: base, to: changed, at: "", testsBase: testsBase, to: &operations)
            return JSONValue(.array(operations))
        }
    }

    private static func mergePatch(from base: JSONValue, to changed: JSONValue) -> JSONValue {
        // RFC 7396 §2: a patch that is no object replaces the target.
        guard let before = base.members, let after = changed.members else { return changed }
        var patch = after.compactMap { name, value -> JSONMember? in
            // A new member is sent as a whole.
            guard let old = before[name] else { return JSONMember(name, value) }
            return old == value ? nil : JSONMember(name, mergePatch(from: old, to: value))
        }
        // RFC 7396 §1: null means removal, so a member that was null needs none.
        for (name, value) in before where after[name] == nil && !value.isNull {
            patch.append(JSONMember(name, JSONValue(.null)))
        }
        return JSONValue(.object(patch)).inOrder
    }

    private static func append(
        from base: JSONValue, to changed: JSONValue, at path: String, testsBase: Bool, to operations: inout [JSONValue]
    ) {
        func add(_ name: String, _ path: String, _ value: JSONValue?) {
            var members = [JSONMember("op", JSONValue(.string(name))), JSONMember("path", JSONValue(.string(path)))]
            if let value { members.append(JSONMember("value", value)) }
            operations.append(JSONValue(.object(members)))
        }
        guard let before = base.members, let after = changed.members else {
            if testsBase { add("test", path, base) }
            return add("replace", path, changed)
        }
        // Sorted, so equal edits give equal bytes under one key.
        for (name, value) in after.sorted(by: { $0.key < $1.key }) where before[name] != value {
            let place = "\(path)/\(name.escapedForPointer)"
            let old = before[name]
            if let old, old.members != nil, value.members != nil {
                // Tests the whole object and not only the changed values. Otherwise the service
                // could combine halves of two clients' edits, which may make no sense together.
                if testsBase { old.forEachLeaf(at: place) { add("test", $0, $1) } }
                append(from: old, to: value, at: place, testsBase: false, to: &operations)
                continue
            }
            if testsBase, let old, !old.isNull { add("test", place, old) }
            // `replace` fails if the service omits members that are null here; `add` works in both
            // cases (RFC 6902 §4.1).
            add("add", place, value)
        }
        for (name, old) in before.sorted(by: { $0.key < $1.key }) where after[name] == nil && !old.isNull {
            let place = "\(path)/\(name.escapedForPointer)"
            if testsBase { add("test", place, old) }
            add("remove", place, nil)
        }
    }
}

extension Request {
    /// Returns a PATCH request with the difference of two payloads.
    ///
    /// ```swift
    /// .patch("notes/\(note.id)", from: old.map(NotePayload.init), to: NotePayload(note), as: .mergePatch, decoding: .json)
    /// ```
    ///
    /// - Parameters:
    ///   - base: the payload that was changed; nil if it is not known, and all members are sent
    ///     then.
    ///   - fields: header fields. Without `If-Match`, a JSON Patch tests the values of the base.
    public static func patch<Value: JSONEncodable>(
        _ path: RequestPath, from base: Value?, to changed: Value, as format: PatchFormat, fields: HTTPFields = [:],
        decoding: Decoding<Payload>
    ) -> Request {
        patch(path, format, fields, decoding, from: base, to: changed) { try JSON.encode($0) }
    }

    /// Returns a PATCH request with the difference of two `Codable` payloads.
    @_disfavoredOverload public static func patch<Value: Encodable>(
        _ path: RequestPath, from base: Value?, to changed: Value, as format: PatchFormat, fields: HTTPFields = [:],
        json: CodableJSON = CodableJSON(), decoding: Decoding<Payload>
    ) -> Request {
        patch(path, format, fields, decoding, from: base, to: changed) { try json.encoder.encode($0) }
    }

    private static func patch<Value>(
        _ path: RequestPath, _ format: PatchFormat, _ fields: HTTPFields, _ decoding: Decoding<Payload>,
        from base: Value?, to changed: Value, encoded: (Value) throws -> [UInt8]
    ) -> Request {
        var request = Request(.patch, .path(path), fields: fields, decoding: decoding)
        if fields[.contentType] == nil { request.fields[.contentType] = format.contentType }
        do {
            func value(_ payload: Value) throws -> JSONValue {
                try JSON.decode(JSONValue.self, from: JSONBytes(encoded(payload)))
            }
            let difference = format.difference(
                // With `If-Match` the service compares the version itself, and tests would only
                // repeat that.
                from: try base.map(value), to: try value(changed), testsBase: fields[.ifMatch] == nil)
            request.body = .bytes(try JSON.encode(difference))
        } catch {
            request.fault = .unencodable(Value.self, error)
        }
        return request
    }
}

extension JSONValue {
    /// The object's members, or nil for another value. The last one of a repeated key counts.
    fileprivate var members: [String: JSONValue]? {
        guard case .object(let members) = content else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
    }

    /// Calls `body` with the path and the value of each leaf that is not null.
    fileprivate func forEachLeaf(at path: String, _ body: (String, JSONValue) -> Void) {
        if isNull { return }
        guard let members else { return body(path, self) }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            value.forEachLeaf(at: "\(path)/\(name.escapedForPointer)", body)
        }
    }

    fileprivate var isNull: Bool {
        if case .null = content { true } else { false }
    }
}

extension String {
    /// The text as a reference token of a JSON Pointer (RFC 6901 §3).
    fileprivate var escapedForPointer: String {
        var escaped = ""
        for scalar in unicodeScalars {
            // RFC 6901 §3: `~` is escaped as `~0`, and `/` as `~1`. Scalar by scalar, so no
            // combining mark hides one.
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
