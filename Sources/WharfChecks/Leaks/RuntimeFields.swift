/// The stored properties of a type as the Swift runtime knows them.
///
/// This file has the underscored symbols of the test kit, two functions of the runtime without a
/// name in Swift. The alternatives fail:
/// - `Mirror` reads a property before it tells anything of it. To read an unowned reference whose
///   object is gone ends the process.
/// - `Mirror` does not tell weak and unowned references from strong ones, so each delegate would
///   be reported as a cycle.
///
/// Both functions are entry points by which `Mirror` itself works, so they are part of the stable
/// ABI. `ReferenceWalkTests` fail if a compiler changes them.
enum RuntimeFields {
    /// How many stored properties a type has, inherited ones first.
    static func count(of type: Any.Type) -> Int { fieldCount(type) }

    /// Whether a stored property holds a strong reference or a plain value, which can be read.
    static func isReadable(_ index: Int, of type: Any.Type) -> Bool {
        var metadata = FieldMetadata()
        _ = fieldMetadata(type, index: index, into: &metadata)
        defer { metadata.freeName?(metadata.name) }
        // The queue of an actor is no property of its own.
        return metadata.isStrong && metadata.name.map { String(cString: $0) } != "$defaultActor"
    }
}

/// Laid out as in the standard library's `ReflectionMirror.swift`.
private struct FieldMetadata {
    var name: UnsafePointer<CChar>?
    var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldMetadata(_: Any.Type, index: Int, into: UnsafeMutablePointer<FieldMetadata>) -> Any.Type
