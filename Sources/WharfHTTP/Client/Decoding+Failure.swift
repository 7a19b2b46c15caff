internal import Foundation
internal import WharfCore

extension Decoding {
    /// The payload of a 2xx answer.
    ///
    /// - Parameter place: method and URL, for the message.
    func decode(_ bytes: [UInt8], _ head: HTTPResponse, from place: String) throws(ReadFailure) -> Payload {
        if expectsData, bytes.isEmpty || head.status == .noContent || head.status == .resetContent {
            throw ReadFailure(
                .noData,
                message: "expected \(Payload.self) from \(place), found status \(head.status.code) without a body; "
                    + "use the decoding .ignored where none is due",
                response: head
            )
        }
        do {
            return try body(bytes, head)
        } catch let failure as ReadFailure {
            throw failure
        } catch let failed as Unmappable {
            throw ReadFailure(
                .unmappable,
                message: "expected \(failed.payload) from \(place) to map to \(failed.model), but the mapping threw: "
                    + "\(failed.cause)",
                cause: failed.cause, response: head, excerpt: Array(bytes.prefix(ReadFailure.excerptLimit))
            )
        } catch {
            throw ReadFailure(
                .undecodable,
                message: "expected \(Payload.self) from \(place), found \(bytes.count) bytes that do not decode: "
                    + Self.explain(error),
                cause: error, response: head, excerpt: Array(bytes.prefix(ReadFailure.excerptLimit))
            )
        }
    }

    private static func explain(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(context.codingPath) + context.debugDescription
        case .keyNotFound(let key, let context):
            return place(context.codingPath) + "no value for the key \"\(key.stringValue)\""
        case .dataCorrupted(let context):
            // Apple's Foundation says line and column, in the underlying error alone; that of Linux does not say them.
            let detail = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
            return place(context.codingPath) + context.debugDescription + (detail.map { " \($0)" } ?? "")
        @unknown default:
            return "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let keys = path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return "at \(keys): "
    }
}

extension ReadFailure {
    /// The most that a failure carries of the body that made it.
    static let excerptLimit = 4096
}
