#if Macros
/// The names of variables in generated code: the property's own name if it is free.
struct LocalNames {
    /// The reader or writer, and the state of the outermost object.
    static let json = "json"
    static let fields = "fields"

    private let taken: Set<String>

    init(_ properties: [Property]) {
        taken = Set(properties.map(\.name)).union([Self.json, Self.fields])
    }

    /// Returns the variable for the value read for a property.
    func held(_ property: Property) -> String {
        guard [Self.json, Self.fields].contains(property.name) else { return property.name }
        return free(property.name + "Value")
    }

    /// Returns the variable for the state of a nested object, as in `addressFields`.
    func fields(at path: [String]) -> String {
        guard !path.isEmpty else { return Self.fields }
        let words = path.map { key in key.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        let joined = words.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        // A key may begin with a digit, or have no letter at all; a variable may not.
        let isName = joined.first?.isLetter ?? false
        return free((isName ? joined : "inner" + joined) + "Fields")
    }

    private func free(_ name: String) -> String {
        var candidate = name
        // A property may have exactly this name.
        while taken.contains(candidate) { candidate += "_" }
        return candidate
    }
}
#endif
