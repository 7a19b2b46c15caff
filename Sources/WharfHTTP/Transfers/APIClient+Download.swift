public import WharfCore

extension APIClient {
    /// Writes the answer into a file as it comes, never holding all of it in memory.
    ///
    /// ```swift
    /// try await client.download(.get("films/1/poster", decoding: .ignored), to: path) { show($0.completed, of: $0.total) }
    /// ```
    ///
    /// The file appears at once and whole: it is written beside `path`, brought to disk (`fsync`)
    /// and renamed. Until then, and after any failure or cancellation, what was at `path` is
    /// untouched and nothing is left beside it. A killed process can leave `.<name>.wharf-…` there.
    /// A new file is readable by this user alone; one that is replaced keeps its permissions, and a
    /// symbolic link to a file stays one.
    ///
    /// By its policy the answer may be a kept one: ``Download/provenance`` says so, and which
    /// failure it stands in for. Once a body has begun, nothing kept stands in for a network that
    /// fails. `maximumBodyBytes` and `decoding` of the request are not used.
    ///
    /// - Parameters:
    ///   - path: of the file, its folder being there.
    ///   - limit: the longest body in bytes that is taken; nil for any.
    ///   - onProgress: called with 0 and then after each piece that was written, in order, by the
    ///     task that downloads, so it had better be quick. The total is what the server announced.
    /// - Throws: ``ReadFailure/Code/fileUnwritable``, before anything is sent where that can be
    ///   known; ``ReadFailure/Code/status`` for anything but 2xx; ``ReadFailure/Code/tooLarge``;
    ///   what keeps the answer from being complete.
    @discardableResult
    public func download<Payload>(
        _ request: Request<Payload>, to path: String, limit: Int64? = nil, policy: ReadPolicy? = nil,
        onProgress: (TransferProgress) -> Void = { _ in }
    ) async throws(ReadFailure) -> Download {
        try await download(request, to: PendingFile(for: path), limit: limit, policy: policy, onProgress: onProgress)
    }

    package func download<Payload>(
        _ request: Request<Payload>, to file: PendingFile, limit: Int64?, policy: ReadPolicy?,
        onProgress: (TransferProgress) -> Void
    ) async throws(ReadFailure) -> Download {
        let answer = try await response(to: request, policy: policy)
        let total = answer.body.expectedLength
        if let limit, let total, total > limit { throw .tooLarge(limit, "\(total) are announced", answer.head) }
        var count: Int64 = 0
        onProgress(TransferProgress(completed: 0, total: total))
        var chunks = answer.body.makeAsyncIterator()
        while let chunk = try await next(&chunks, answer.head) {
            count += Int64(chunk.count)
            if let limit, count > limit { throw .tooLarge(limit, "more came", answer.head) }
            try file.write(chunk)
            onProgress(TransferProgress(completed: count, total: total))
        }
        try file.commit()
        return Download(response: answer.head, provenance: answer.provenance, byteCount: count)
    }

    private func next(
        _ chunks: inout BodyStream.AsyncIterator, _ head: HTTPResponse
    ) async throws(ReadFailure) -> [UInt8]? {
        do throws(TransportError) {
            let chunk = try await chunks.next(isolation: #isolation)
            // A body that is here already does not ask, and one that is left may just end.
            if Task.isCancelled { throw .cancelled }
            return chunk
        } catch {
            throw ReadFailure(ReadFailure(error).code, message: error.message, cause: error, response: head)
        }
    }
}

/// What a download came to.
public struct Download: Sendable {
    public let response: HTTPResponse
    public let provenance: Provenance
    /// Bytes in the file.
    public let byteCount: Int64
}

extension ReadFailure {
    fileprivate static func tooLarge(_ limit: Int64, _ found: String, _ head: HTTPResponse) -> ReadFailure {
        ReadFailure(
            .tooLarge,
            message: "expected a body of at most \(limit) bytes, but \(found); raise the limit if such a file is meant",
            response: head)
    }
}
