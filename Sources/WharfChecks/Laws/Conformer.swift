/// One way to conform to a contract, as what makes it: the subject of the ``Law``s of a contract of
/// your own.
public struct Conformer<Contract>: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable () async throws -> Contract

    /// - Parameters:
    ///   - name: stands in the message of a violation.
    ///   - make: a new one, each time.
    public init(_ name: String, _ make: @escaping @Sendable () async throws -> Contract) {
        description = name
        body = make
    }

    public func make() async throws -> Contract { try await body() }
}
