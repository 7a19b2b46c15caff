extension BodyStream {
    /// Returns the first bytes of the body, up to a limit.
    ///
    /// It returns fewer bytes if the body breaks off. Use it if the head already has the answer and
    /// the body only explains it.
    package func beginning(upTo limit: Int) async -> [UInt8] {
        var bytes: [UInt8] = []
        var chunks = makeAsyncIterator()
        do {
            while bytes.count < limit, let chunk = try await chunks.next(isolation: #isolation) {
                bytes += chunk.prefix(limit - bytes.count)
            }
        } catch {
            return bytes
        }
        return bytes
    }
}
