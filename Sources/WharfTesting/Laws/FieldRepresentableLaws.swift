public import WharfCore

/// What every ``FieldRepresentable`` type keeps.
///
/// ```swift
/// let subject = FieldRepresentableLaws.Subject("Priority", .element(of: Priority.allCases))
/// for law in FieldRepresentableLaws.all(for: Priority.self) { try await law.check(subject) }
/// ```
public enum FieldRepresentableLaws {
    /// A type, as what makes its values.
    public struct Subject<Value: FieldRepresentable & Equatable>: Sendable, CustomStringConvertible {
        public let description: String
        let values: Generator<Value>

        /// - Parameter values: some of them are equal, so that the laws mean something.
        public init(_ name: String, _ values: Generator<Value>) {
            description = name
            self.values = values
        }
    }

    public static func all<Value>(for type: Value.Type) -> [Law<Subject<Value>>] {
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
