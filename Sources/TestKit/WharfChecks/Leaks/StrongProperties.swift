/// The stored and inherited properties of an instance that retain their values.
///
/// A weak or unowned reference retains nothing, so it belongs to no cycle. ``RuntimeFields``
/// identifies these before a property is read.
func strongProperties(of value: Any) -> [(name: String, value: Any)] {
    var properties: [(name: String, value: Any)] = []
    var level: Mirror? = Mirror(reflecting: value)
    while let mirror = level {
        let isNominal = mirror.displayStyle == .class || mirror.displayStyle == .struct
        // The runtime counts inherited properties first, and a mirror has only those of its own
        // class.
        let inherited = isNominal ? RuntimeFields.count(of: mirror.subjectType) - mirror.children.count : 0
        for (offset, index) in mirror.children.indices.enumerated() {
            if isNominal, !(inherited >= 0 && RuntimeFields.isReadable(inherited + offset, of: mirror.subjectType)) {
                continue
            }
            let child = mirror.children[index]
            properties.append((name(child.label ?? "\(offset)"), child.value))
        }
        level = mirror.superclassMirror
    }
    return properties
}

/// Returns the name in the source. Lazy properties and tuple elements are stored under other names.
private func name(_ label: String) -> String {
    for prefix in ["$__lazy_storage_$_", "."] where label.hasPrefix(prefix) {
        return String(label.dropFirst(prefix.count))
    }
    return label
}
