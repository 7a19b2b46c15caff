import WharfCore
import WharfStorage

extension CachingTransport {
    /// Sends an unsafe request. If it succeeds, stored responses for its targets are removed (RFC
    /// 9111 §4.4), for all top-level sites. The answer to POST is stored if it answers a later GET
    /// (RFC 9110 §9.3.3).
    func sendUnsafe(
        _ request: TransportRequest, _ target: TargetURI
    ) async throws(TransportError) -> TransportResponse {
        let post = policy.facts(ofPost: request)
        // Registered before it is sent: if another unsafe request ends meanwhile, the answer may be
        // older than its effect.
        let inFlight = post.map { fence.enter($0.key) }
        let requestedAt = clock.now()
        let answer = try await pass(
            request, .method, why: "no stored response answers \(request.head.method)"
        )
        let exchange = CacheExchange(
            mode: request.cache, isConditional: false, requestedAt: requestedAt, respondedAt: clock.now())
        let kind = answer.head.status.kind
        guard kind == .successful || kind == .redirection else { return answer }

        var targets: Set = [target.text]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let other = answer.head.headerFields[name].flatMap(target.resolve), other.origin == target.origin
            else { continue }
            targets.insert(other.text)
        }
        // The fence closes first. Otherwise a response in flight could be stored right after the
        // removal.
        fence.invalidate(targets, except: inFlight)
        let removed = await finishing { [self, targets] in
            var removed = targets
            for target in targets {
                for account in Set([request.account, nil]) {
                    do throws(StoreError) {
                        try await store.removeAll(under: CacheKey(account: account, target: target))
                    } catch {
                        report(error, "invalidate", target)
                        removed.remove(target)
                    }
                }
            }
            return removed
        }
        // After the removal, which would remove the answers of the new leaders too.
        collapsed.invalidate(targets)
        // At the end, because followers must not wait for the handler. Sorted, so that the order
        // does not depend on the hash seed of the process.
        for target in removed.sorted() { reportRemoval(target, .invalidated) }
        guard let post, let inFlight, let head = policy.stored(answer.head, ofPost: post, exchange) else {
            return answer
        }
        return try await deliver(
            answer, as: head, post, nil, exchange, .method, answer.head.status.code, inFlight, leading: nil)
    }

    /// - Parameter reason: the reason of the event; nil for no event.
    func remove(
        _ id: StoredResponse.ID, under key: CacheKey, because reason: CacheEvent.RemovalReason? = nil
    ) async {
        memo.forget(id)
        let isRemoved = await finishing { [self] in
            do throws(StoreError) {
                try await store.remove(id, under: key)
                return true
            } catch {
                report(error, "remove", key.target)
                return false
            }
        }
        if isRemoved, let reason { reportRemoval(key.target, reason) }
    }

    /// Removes the variants of a key, one of which is outdated and has no known id.
    ///
    /// Those of other top-level sites stay: the write was not theirs.
    func removeVariants(under key: CacheKey) async {
        await finishing { [self] in
            do throws(StoreError) {
                for variant in try await store.lookup(key, select: { _ in nil }).variants {
                    memo.forget(variant.id)
                    try await store.remove(variant.id, under: key)
                }
            } catch {
                report(error, "remove", key.target)
            }
        }
    }

    /// Runs work that must complete even if the caller is cancelled: an invalidation concerns all
    /// readers.
    func finishing<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        await Task { await work() }.value
    }
}
