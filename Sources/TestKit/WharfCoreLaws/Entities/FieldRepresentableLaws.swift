public import WharfChecks
public import WharfCore

/// The laws of ``FieldRepresentable`` types.
///
/// ```swift
/// let subject = FieldRepresentableLaws.Subject("Priority", .element(of: Priority.allCases))
/// for law in FieldRepresentableLaws.all(for: Priority.self) { try await law.check(subject) }
/// ```
public enum FieldRepresentableLaws {
    /// A type and a generator of its values.
    public typealias Subject = SampledType

    /// Returns the laws of a type. Use few different values, so that some are equal.
    public static func all<Value: FieldRepresentable & Equatable>(for type: Value.Type) -> [Law<Subject<Value>>] {
        [
            Law(
                "values that are equal have equal field values", forEach: { Generator.zip($0.values, $0.values) },
                runs: 500
            ) {
                _, pair in
                let (one, other) = pair
                guard one == other else { return }
                try require(one.fieldValue == other.fieldValue, "found \(one.fieldValue) and \(other.fieldValue)")
            }
        ]
    }
}
