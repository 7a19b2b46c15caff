/// One thing that every conformer of a contract keeps, as a value that can be checked against any of them.
///
/// A suite is an array of laws, so one parameterised test covers a conformer:
///
/// ```swift
/// @Test(arguments: CacheStoreLaws.all)
/// func myStoreKeeps(law: Law<CacheStoreLaws.Subject>) async throws {
///     try await law.check(.init { limit in MyStore(byteLimit: limit) })
/// }
/// ```
public struct Law<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// A sentence that holds: "nothing is visible before the commit".
    public let name: String
    private let body: @Sendable (Subject) async throws -> Void

    public init(_ name: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// - Throws: ``LawViolation`` with the name of the conformer and of the law.
    public func check(_ subject: Subject) async throws {
        do {
            try await body(subject)
        } catch let broken as Broken {
            throw LawViolation(conformer: String(describing: subject), law: name, found: broken.found)
        } catch {
            throw LawViolation(conformer: String(describing: subject), law: name, found: "it threw \(error)")
        }
    }

    public var description: String { name }
}

/// A law that does not hold for a conformer.
public struct LawViolation: Error, Sendable, CustomStringConvertible {
    public let conformer: String
    public let law: String
    public let found: String

    public var description: String { "\(conformer) breaks the law \"\(law)\": \(found)" }
}

struct Broken: Error {
    let found: String
}

/// Ends a law's check when `condition` does not hold.
///
/// - Parameter found: what was seen in place of what the law says.
public func require(_ condition: Bool, _ found: @autoclosure () -> String) throws {
    guard condition else { throw Broken(found: found()) }
}

/// The value, or the end of a law's check when there is none.
public func require<Value>(_ value: Value?, _ found: @autoclosure () -> String) throws -> Value {
    guard let value else { throw Broken(found: found()) }
    return value
}
