/// The stored properties of a type as the Swift runtime knows them.
///
/// This file contains the only underscored symbols of the test kit. They are two functions of the
/// runtime without a name in Swift. The alternatives fail:
///
/// - `Mirror` reads a property before it reveals anything about it. Reading an unowned reference
///   whose object is gone crashes the process.
/// - `Mirror` does not distinguish weak and unowned references from strong ones, so each delegate
///   would be reported as a cycle.
///
/// Both functions are entry points that `Mirror` itself uses, so they are part of the stable ABI.
/// `ReferenceWalkTests` fails if a compiler changes them.
enum RuntimeFields {
    /// The number of stored properties of a type, with inherited ones first.
    static func count(of type: Any.Type) -> Int { fieldCount(type) }

    /// Whether a stored property holds a strong reference or a plain value, so that it is safe to
    /// read.
    static func isReadable(_ index: Int, of type: Any.Type) -> Bool {
        var metadata = FieldMetadata()
        _ = fieldMetadata(type, index: index, into: &metadata)
        defer { metadata.freeName?(metadata.name) }
        // An actor's queue is not one of its own properties.
        return metadata.isStrong && metadata.name.map { String(cString: $0) } != "$defaultActor"
    }
}

/// The layout in the standard library's `ReflectionMirror.swift`.
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
