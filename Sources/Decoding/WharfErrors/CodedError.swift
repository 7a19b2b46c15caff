/// An error with an extensible code, a message and the error behind it.
///
/// The errors of all libraries of Wharf have this shape, so one function can log them:
///
/// ```swift
/// func log(_ error: any CodedError) {
///     logger.error("\(error.message)", metadata: ["code": "\(error.code)"])
/// }
/// ```
///
/// A library that throws such an error re-exports this module, or `WharfCore`, which has it too.
public protocol CodedError: Error, CustomStringConvertible {
    /// The type of the codes.
    associatedtype Code: ErrorCode

    /// The kind of the error.
    var code: Code { get }
    /// The failed operation, the reason, and the remedy.
    var message: String { get }
    /// The underlying error; nil if there is none.
    var cause: (any Error)? { get }
}

extension CodedError {
    public var cause: (any Error)? { nil }
    public var description: String { "\(code): \(message)" }
}

/// The kind of an error, as an extensible name.
///
/// Codes with equal names are equal. Later versions and apps add codes as static members, so a
/// `switch` over codes needs a `default`.
public protocol ErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    var name: String { get }
    /// Creates a code from its name.
    init(_ name: String)
}

extension ErrorCode {
    public var description: String { name }
}
