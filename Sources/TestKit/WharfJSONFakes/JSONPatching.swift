package import WharfJSON

// Applies patches as a service does, for tests of clients that send them.
extension JSONValue {
    /// Returns the value with a JSON Merge Patch applied, by the algorithm of RFC 7396, section 2.
    package func applying(mergePatch patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch.content else { return patch }
        var members: [JSONMember] = []
        if case .object(let old) = content { members = old }
        for change in changes {
            let index = members.firstIndex { $0.key == change.key }
            // RFC 7396: null removes a member; an object is merged into it; other values replace
            // it.
            if case .null = change.value.content {
                members.removeAll { $0.key == change.key }
            } else if let index {
                members[index] = JSONMember(change.key, members[index].value.applying(mergePatch: change.value))
            } else {
                members.append(JSONMember(change.key, JSONValue(.null).applying(mergePatch: change.value)))
            }
        }
        return JSONValue(.object(members))
    }

    /// Returns the value with a JSON Patch applied (RFC 6902).
    ///
    /// It supports `test`, `add`, `remove` and `replace` of members of objects.
    ///
    /// - Parameter isEqual: compares a value with the one of a `test`.
    /// - Returns: nil if one of the operations fails. The service then changes nothing (RFC 5789
    ///   §2).
    package func applying(
        jsonPatch patch: JSONValue, isEqual: (JSONValue, JSONValue) -> Bool = { $0 == $1 }
    ) -> JSONValue? {
        guard case .array(let operations) = patch.content else { return nil }
        var target = self
        for operation in operations {
            guard let name = operation.text("op"), let path = operation.text("path") else { return nil }
            let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                // In this order (RFC 6901 §4): "~01" means "~1" and not "/".
                .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
            guard let changed = target.applying(name, at: steps[...], operation["value"], isEqual) else {
                return nil
            }
            target = changed
        }
        return target
    }

    private func applying(
        _ name: String, at steps: ArraySlice<String>, _ value: JSONValue?, _ isEqual: (JSONValue, JSONValue) -> Bool
    ) -> JSONValue? {
        guard let step = steps.first else {
            // With a ternary, `nil` would be the literal for JSON's null.
            if name == "replace" { return value }
            if name == "test", let value, isEqual(self, value) { return self }
            return nil
        }
        guard case .object(var members) = content else { return nil }
        let index = members.firstIndex { $0.key == step }
        if steps.count > 1 || name == "test" || name == "replace" {
            guard let index,
                let changed = members[index].value.applying(name, at: steps.dropFirst(), value, isEqual)
            else { return nil }
            members[index] = JSONMember(step, changed)
            return JSONValue(.object(members))
        }
        switch (name, index, value) {
        case ("remove", let index?, _): members.remove(at: index)
        case ("add", let index?, let value?): members[index] = JSONMember(step, value)
        case ("add", nil, let value?): members.append(JSONMember(step, value))
        default: return nil
        }
        return JSONValue(.object(members))
    }

    private func text(_ key: String) -> String? {
        guard case .string(let text)? = self[key]?.content else { return nil }
        return text
    }
}
