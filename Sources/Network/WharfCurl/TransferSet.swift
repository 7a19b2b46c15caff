#if os(Linux)
internal import CCurl
internal import WharfCore

/// The transfers of one multi handle. Confined to the event thread.
final class TransferSet {
    // The loop owns this pointer and frees it after `stop()`.
    private let multi: UnsafeMutableRawPointer
    private let options: CurlOptions
    // Invariants between calls: `transfers` and `handles` have the same transfers, and each one's
    // handle is in `multi`. A transfer holds a permit unless its exchange is in `stalled`. A
    // transfer retains its exchange, so no other object gets the identifier of an entry.
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    /// Exchanges that hold no permit of the queue because their reader is behind.
    private var stalled: Set<ObjectIdentifier> = []
    private var queue: HostQueue<Exchange>
    // Written inside libcurl's callbacks, and read after libcurl has returned.
    private var deferredEvents: [Transfer.DeferredEvent] = []

    init(_ multi: UnsafeMutableRawPointer, _ options: CurlOptions) {
        self.multi = multi
        self.options = options
        queue = HostQueue(limit: options.connectionsPerHost)
    }

    var isEmpty: Bool { transfers.isEmpty }

    func start(_ exchange: Exchange) {
        let origin = exchange.target.origin
        // Without a transfer, no `detach` would release the permit.
        if queue.enter(exchange, at: origin), !begin(exchange) { release(origin) }
    }

    func resumeReceiving(_ exchange: Exchange) {
        guard let transfer = transfer(of: exchange) else { return }
        // The permit is taken before the resume: libcurl may call back inside it, and the transfer
        // may stall again.
        if stalled.remove(ObjectIdentifier(exchange)) != nil { queue.reenter(exchange.target.origin) }
        transfer.resumeReceiving()
    }

    func resumeSending(_ exchange: Exchange) { transfer(of: exchange)?.resumeSending() }

    /// Removes an exchange. If its transfer is incomplete, that closes its connection or resets its
    /// HTTP/2 stream.
    func remove(_ exchange: Exchange) {
        guard let transfer = transfer(of: exchange) else {
            // A cancelled exchange would stay in memory until all transfers before it have ended.
            return queue.withdraw(from: exchange.target.origin) { $0 === exchange }
        }
        // The permit passes on at once. Otherwise cancelled requests would block their host until
        // the timeout.
        detach(transfer)
    }

    /// Moves bytes, handles ended transfers, and starts waiting ones.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = transfers[message.pointee.easy_handle] else {
                continue
            }
            // The message is invalid after its handle is removed.
            let result = wharf_curl_message_result(message)
            // `finish` reads the handle's error text and connection, so it precedes the removal.
            transfer.finish(result)
            detach(transfer)
        }
        // libcurl has returned, so transfers may be started and handles changed.
        let seen = deferredEvents
        deferredEvents = []
        for note in seen { act(on: note) }
    }

    func stop() {
        for exchange in queue.removeAll() { exchange.fail(.closed) }
        for transfer in transfers.values {
            // Handles leave the multi handle before they are released, and before the loop frees
            // the multi handle.
            curl_multi_remove_handle(multi, transfer.handle.raw)
            transfer.exchange.fail(.closed)
        }
        transfers = [:]
        handles = [:]
    }

    private func transfer(of exchange: Exchange) -> Transfer? {
        handles[ObjectIdentifier(exchange)].flatMap { transfers[$0] }
    }

    /// - Returns: false if no transfer was started, and the exchange's permit is free.
    private func begin(_ exchange: Exchange) -> Bool {
        // It may have been cancelled in the queue, with its `remove` still in the mailbox.
        guard exchange.begin() else { return false }
        do throws(CurlFailure) {
            // The set owns the transfer, and libcurl calls back only inside calls of the set.
            let transfer = try Transfer(exchange, options) { [unowned self] in deferredEvents.append($0) }
            let raw = transfer.handle.raw
            // The transfer is not in the tables yet, so its release frees a handle that is in no
            // multi handle.
            guard curl_multi_add_handle(multi, raw) == CURLM_OK else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
            transfers[raw] = transfer
            handles[ObjectIdentifier(exchange)] = raw
            return true
        } catch {
            // No transfer exists, so the loop needs no `remove`.
            exchange.breakOff(error.errorOfSetup(for: exchange.request.head))
            return false
        }
    }

    private func detach(_ transfer: Transfer) {
        let raw = transfer.handle.raw
        // First out of libcurl, then out of the tables: the tables hold the last reference, and a
        // release frees the handle.
        curl_multi_remove_handle(multi, raw)
        transfers[raw] = nil
        handles[ObjectIdentifier(transfer.exchange)] = nil
        // A stalled transfer released its permit when it stalled. A second release would let one
        // request too many run.
        if stalled.remove(ObjectIdentifier(transfer.exchange)) == nil {
            release(transfer.exchange.target.origin)
        }
    }

    /// Passes a permit to the next waiting exchange. An exchange that was cancelled in the queue
    /// passes it further.
    private func release(_ origin: String) {
        while let next = queue.leave(origin) {
            if begin(next) { return }
        }
    }

    private func act(on note: Transfer.DeferredEvent) {
        switch note {
        case .stalled(let exchange):
            // The transfer may be over by now.
            // If two notes name one exchange, only the first releases its permit.
            guard transfer(of: exchange) != nil, stalled.insert(ObjectIdentifier(exchange)).inserted else { return }
            release(exchange.target.origin)
        case .multiplexed(let exchange):
            let origin = exchange.target.origin
            // `multiplex` gave each of them a permit.
            for waiting in queue.multiplex(origin) where !begin(waiting) { release(origin) }
        case .single(let exchange): queue.endMultiplexing(exchange.target.origin)
        }
    }
}
#endif
