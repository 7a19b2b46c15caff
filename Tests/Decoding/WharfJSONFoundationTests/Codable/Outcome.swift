import Foundation
import WharfJSON

/// The outcome of decoding or encoding, as a comparable value.
enum Outcome<Value: Equatable>: Equatable, CustomStringConvertible {
    case value(Value)
    /// The case of the error, and its coding path.
    case failure(String, [String])
    case other(String)

    init(_ body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch let error as DecodingError {
            switch error {
            case .dataCorrupted(let context): self = .failure("dataCorrupted", Self.path(context.codingPath))
            case .keyNotFound(let key, let context):
                self = .failure("keyNotFound \(key.stringValue)", Self.path(context.codingPath))
            case .typeMismatch(_, let context): self = .failure("typeMismatch", Self.path(context.codingPath))
            case .valueNotFound(_, let context): self = .failure("valueNotFound", Self.path(context.codingPath))
            @unknown default: self = .other("\(error)")
            }
        } catch let EncodingError.invalidValue(_, context) {
            self = .failure("invalidValue", Self.path(context.codingPath))
        } catch {
            self = .other("\(error)")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> [String] {
        keys.map { key in key.stringValue + (key.intValue.map { " (\($0))" } ?? "") }
    }

    var failure: (name: String, path: [String])? {
        if case .failure(let name, let path) = self { (name, path) } else { nil }
    }

    var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .failure(let name, let path): "\(name) at \(path)"
        case .other(let text): text
        }
    }
}

/// The decoder's own error, which accompanies the `DecodingError`.
func cause(of body: () throws -> Any) -> JSONError? {
    do {
        _ = try body()
        return nil
    } catch let error as DecodingError {
        let context: DecodingError.Context? =
            switch error {
            case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
                .valueNotFound(_, let context):
                context
            @unknown default: nil
            }
        return context?.underlyingError as? JSONError
    } catch {
        return nil
    }
}
