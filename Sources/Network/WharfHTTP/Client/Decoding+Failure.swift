internal import WharfCore
internal import WharfJSON

extension Decoding {
    /// Whether the body is collected for the JSON reader.
    var readsJSON: Bool {
        if case .json = reading { true } else { false }
    }

    /// Decodes the payload of a 2xx response.
    ///
    /// - Parameter place: method and URL, for the message.
    func decode(_ body: Body, _ head: HTTPResponse, from place: String) throws(ReadFailure) -> Payload {
        if expectsData, body.count == 0 || head.status == .noContent || head.status == .resetContent {
            throw ReadFailure(
                .noData,
                message: "could not decode \(Payload.self) from \(place): status \(head.status.code) came without a "
                    + "body; use the decoding .ignored if the service sends none",
                response: head
            )
        }
        // The general case comes last, because it would catch the others.
        do {
            return try read(body, head)
        } catch let failure as ReadFailure {
            throw failure
        } catch let failed as Unmappable {
            throw ReadFailure(
                .unmappable,
                message: "could not map \(failed.payload) from \(place) to \(failed.model): \(failed.cause)",
                cause: failed.cause, response: head, excerpt: body.excerpt
            )
        } catch let errors as any ReportedErrors where errors.cause == nil {
            // Errors without data: the service has answered, but there is nothing to decode.
            throw ReadFailure(
                .noData,
                message: "no data came from \(place): the response has "
                    + (errors.isEmpty ? "neither data nor errors" : "only errors: \(errors)"),
                cause: errors, response: head, excerpt: body.excerpt
            )
        } catch {
            let errors = error as? any ReportedErrors
            let fault = errors?.cause ?? error
            let cause = JSONError(behind: fault) ?? fault
            throw ReadFailure(
                .undecodable,
                message: "could not decode \(Payload.self) from \(place), a body of \(body.count) bytes: "
                    + ((cause as? JSONError)?.message ?? "\(cause)")
                    + (errors.map { "; the response also has errors: \($0)" } ?? ""),
                cause: errors ?? cause, response: head, excerpt: body.excerpt
            )
        }
    }

    /// Reads a body. It is copied only if it was not collected in the form that `reading` needs.
    private func read(_ body: Body, _ head: HTTPResponse) throws -> Payload {
        switch (reading, body) {
        case (.bytes(let read), .bytes(let bytes)): try read(bytes, head)
        case (.bytes(let read), .json(let bytes)): try read(bytes.array, head)
        case (.json(let read), .json(let bytes)): try read(bytes)
        case (.json(let read), .bytes(let bytes)): try read(JSONBytes(bytes))
        }
    }
}

/// Errors that a service reports in a 2xx answer, without its data or beside data that don't
/// decode.
package protocol ReportedErrors: Error, CustomStringConvertible {
    /// The decoding error of the data; nil if the answer has no data.
    var cause: (any Error)? { get }
    /// Whether the service reports none.
    var isEmpty: Bool { get }
}

extension ReadFailure {
    /// The most bytes of a body that a failure carries.
    static let excerptLimit = 4096
}
