public import WharfCore

extension APIClient {
    /// Downloads the answer into a file, piece by piece, without holding it in memory.
    ///
    /// ```swift
    /// try await client.download(.get("films/1/poster", decoding: .ignored), to: path) { show($0.completed, of: $0.total) }
    /// ```
    ///
    /// The file appears atomically: it is written beside `path`, flushed to disk (`fsync`) and
    /// renamed. Until then, and after a failure or cancellation, an existing file at `path` is
    /// unchanged and no temporary file is left. A killed process can leave `.<name>.wharf-…` there.
    /// A new file is readable only by its owner. A replaced file keeps its permissions, and a
    /// symbolic link to a file stays a link.
    ///
    /// Depending on the policy the answer may be a stored response. ``Download/provenance`` shows
    /// that, with the failure that it replaces. If the network fails after the body has begun, no
    /// stored response replaces it. `maximumBodyBytes` and `decoding` of the request are not used.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its folder must exist.
    ///   - limit: the maximum length of the body in bytes; nil for no limit.
    ///   - onProgress: called with 0 and then after each written piece, in order. The downloading
    ///     task calls it, so it should return quickly. The total is the length that the server
    ///     announced.
    /// - Throws: ``ReadFailure/Code/fileUnwritable``, before the request is sent if possible;
    ///   ``ReadFailure/Code/status`` for another status than 2xx; ``ReadFailure/Code/tooLarge``;
    ///   the errors of an incomplete answer.
    @discardableResult
    public func download<Payload>(
        _ request: Request<Payload>, to path: String, limit: Int64? = nil, policy: ReadPolicy? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(ReadFailure) -> Download {
        // Created before the request is sent: a path that can't be written must not cost a
        // transfer.
        try await download(request, to: PendingFile(for: path), limit: limit, policy: policy, onProgress: onProgress)
    }

    package func download<Payload>(
        _ request: Request<Payload>, to file: PendingFile, limit: Int64?, policy: ReadPolicy?,
        onProgress: (TransferProgress) -> Void
    ) async throws(ReadFailure) -> Download {
        let answer = try await response(to: request, policy: policy)
        let total = answer.body.expectedLength
        // An announced length above the limit fails before the first byte.
        if let limit, let total, total > limit { throw .tooLarge(limit, "\(total) bytes are announced", answer.head) }
        var count: Int64 = 0
        onProgress(TransferProgress(completed: 0, total: total))
        var chunks = answer.body.makeAsyncIterator()
        while let chunk = try await next(&chunks, answer.head) {
            count += Int64(chunk.count)
            // The announced length may be missing or false.
            if let limit, count > limit { throw .tooLarge(limit, "more bytes arrived", answer.head) }
            try file.write(chunk)
            onProgress(TransferProgress(completed: count, total: total))
        }
        // Only after the end of the body: an error above leaves the old file.
        try file.commit()
        return Download(response: answer.head, provenance: answer.provenance, byteCount: count)
    }

    private func next(
        _ chunks: inout BodyStream.AsyncIterator, _ head: HTTPResponse
    ) async throws(ReadFailure) -> [UInt8]? {
        do throws(TransportError) {
            let chunk = try await chunks.next(isolation: #isolation)
            // A buffered body does not check for cancellation, and an abandoned body may end
            // without an error.
            if Task.isCancelled { throw .cancelled }
            return chunk
        } catch {
            throw ReadFailure(ReadFailure(error).code, message: error.message, cause: error, response: head)
        }
    }
}

/// The result of a download.
public struct Download: Sendable {
    /// The head of the response.
    public let response: HTTPResponse
    /// The origin of the response: the network or a store.
    public let provenance: Provenance
    /// The number of bytes in the file.
    public let byteCount: Int64
}

extension ReadFailure {
    fileprivate static func tooLarge(_ limit: Int64, _ found: String, _ head: HTTPResponse) -> ReadFailure {
        ReadFailure(
            .tooLarge,
            message: "the file is larger than the limit of \(limit) bytes: \(found); raise the limit if such a file is "
                + "expected",
            response: head)
    }
}
