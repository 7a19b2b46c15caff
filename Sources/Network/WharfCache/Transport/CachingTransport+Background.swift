import WharfCore
import WharfPrimitives

extension CachingTransport {
    /// Revalidates a response that is being served stale (RFC 5861 §3).
    ///
    /// A failure leaves the stored response as it is. The next read within the window serves it and
    /// tries again; a read after the window gets the failure.
    func revalidateInBackground(_ request: TransportRequest, _ facts: RequestFacts, _ selected: Selected) {
        // The answer to HEAD, or to a request with `no-store`, is not stored, so each read would
        // ask again. `only-if-cached` forbids the network.
        let asked = facts.cacheControl
        guard !facts.isHead, asked?.noStore != true, asked?.onlyIfCached != true else { return }
        var outgoing = request
        // The reader's own conditions would give an answer that can't be stored.
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifRange] {
            outgoing.head.headerFields[name] = nil
        }
        // A part is confirmed as a part, and the whole as a whole.
        if !selected.facts.isPartial { outgoing.head.headerFields[.range] = nil }
        // The reader has its answer, and no interim response may follow that.
        outgoing.onInterim = nil
        guard case .cacheable(let facts) = RequestScope.of(outgoing, policy.configuration) else { return }
        let conditions = selected.facts.validators.conditionalFields
        // The reader consumes the stored body. No part of it is needed here.
        let confirmed = Selected(id: selected.id, facts: selected.facts, body: .empty)
        // A request of this key in flight renews the response as well.
        revalidations.start(leading: { collapsed.lead(facts) }) { [self, outgoing] leader in
            do throws(TransportError) {
                let answer = try await forward(outgoing, facts, confirmed, conditions, .stale, leading: leader)
                // The response is committed at the end of its body.
                var body = answer.body.makeAsyncIterator()
                while try await body.next(isolation: nil) != nil {}
                leader.end()
                reportBackground(answer, facts)
            } catch {
                leader.fail(error)
                reportBackground(error, facts)
                // The reader of the next stale response is told if it persists.
            }
        }
    }

    /// Waits until no revalidation runs in the background.
    package func revalidationsEnd() async { await revalidations.wait() }
}
