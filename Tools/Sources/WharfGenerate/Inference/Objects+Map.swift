import WharfJSON

extension Objects {
    /// Whether the keys are data, so that the object is a dictionary.
    ///
    /// All keys look like ids, or there are many keys with similar values.
    var isMap: Bool {
        guard !columns.isEmpty, columns.flatMap(\.values).kinds.count <= 1 else { return false }
        if columns.allSatisfy({ Self.isID($0.key) }) { return true }
        let hasRequired = columns.contains { isRequired($0) }
        let filled = all.count { !$0.isEmpty }
        if filled > 2, !hasRequired, columns.count >= 12, columns.count * filled >= 3 * total { return true }
        return columns.count >= 10 && (count == 1 || !hasRequired) && hasSimilarObjects
    }

    private var total: Int { columns.reduce(0) { $0 + $1.count } }

    /// Whether all values are objects with mostly the same keys.
    private var hasSimilarObjects: Bool {
        let objects = columns.flatMap(\.values).compactMap(\.members)
        guard objects.count == total, let first = objects.first, !first.isEmpty else { return false }
        let keys = Set(first.map(\.key))
        return objects.allSatisfy { members in
            let shared = members.count { keys.contains($0.key) }
            return 2 * shared > keys.count && 2 * shared > members.count
        }
    }

    /// Returns whether a key looks like data: a number, a UUID, a hash, a date, a path, an address.
    private static func isID(_ key: String) -> Bool {
        if TextForm.lowercaseUUID.matches(key) || TextForm.uppercaseUUID.matches(key) { return true }
        var digits = 0
        var hexadecimals = 0
        var others = 0
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): hexadecimals += 1
            case UInt8(ascii: "/"), UInt8(ascii: "@"): return key.utf8.count > 1 && !key.hasPrefix("@")
            case UInt8(ascii: "-"), UInt8(ascii: ":"): others += 1
            default: return false
            }
        }
        if hexadecimals == 0 { return digits > 0 }
        return digits > 1 && others == 0 && digits + hexadecimals >= 12
    }
}
