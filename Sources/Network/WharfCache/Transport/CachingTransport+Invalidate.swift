import WharfCore

extension CachingTransport {
    /// Sends an unsafe request. If it succeeds, stored responses for its targets are removed (RFC
    /// 9111 §4.4).
    func sendUnsafe(
        _ request: TransportRequest, _ target: TargetURI
    ) async throws(TransportError) -> TransportResponse {
        let answer = try await pass(
            request, .method, why: "the response to \(request.head.method) is never stored"
        )
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
        fence.invalidate(targets)
        await finishing { [self, targets] in
            for target in targets {
                for account in Set([request.account, nil]) {
                    do throws(StoreError) {
                        try await store.removeAll(under: CacheKey(account: account, target: target))
                    } catch {
                        report(error, "invalidate", target)
                    }
                }
            }
        }
        return answer
    }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async {
        memo.forget(id)
        await finishing { [self] in
            do throws(StoreError) {
                try await store.remove(id, under: key)
            } catch {
                report(error, "remove", key.target)
            }
        }
    }

    /// Runs work that must complete even if the caller is cancelled: an invalidation concerns all
    /// readers.
    func finishing(_ work: @escaping @Sendable () async -> Void) async {
        await Task { await work() }.value
    }
}
