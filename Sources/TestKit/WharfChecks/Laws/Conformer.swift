/// A named factory of a contract's conformer, as the subject of its ``Law``s.
public struct Conformer<Contract>: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable () async throws -> Contract

    /// Creates a conformer.
    ///
    /// - Parameters:
    ///   - name: the name in the message of a violation.
    ///   - make: makes a new instance with each call.
    public init(_ name: String, _ make: @escaping @Sendable () async throws -> Contract) {
        description = name
        body = make
    }

    /// Returns a new instance of the conformer.
    public func make() async throws -> Contract { try await body() }
}
