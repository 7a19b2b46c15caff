extension BodyStream {
    /// As much of it as comes, up to so many bytes: for who has its answer in the head, also where
    /// the body that explains it breaks off.
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
