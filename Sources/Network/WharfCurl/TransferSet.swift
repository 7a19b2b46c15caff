#if os(Linux)
internal import CCurl
internal import WharfCore

/// The transfers of one multi handle. Confined to the event thread.
final class TransferSet {
    private let multi: UnsafeMutableRawPointer
    private let options: CurlOptions
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    /// Exchanges that hold no permit of the queue because their reader is behind.
    private var stalled: Set<ObjectIdentifier> = []
    private var queue: HostQueue<Exchange>
    private var notes: [Transfer.Note] = []

    init(_ multi: UnsafeMutableRawPointer, _ options: CurlOptions) {
        self.multi = multi
        self.options = options
        queue = HostQueue(limit: options.connectionsPerHost)
    }

    var isEmpty: Bool { transfers.isEmpty }

    func start(_ exchange: Exchange) {
        let origin = exchange.target.origin
        if queue.enter(exchange, at: origin), !begin(exchange) { release(origin) }
    }

    func resumeReceiving(_ exchange: Exchange) {
        guard let transfer = transfer(of: exchange) else { return }
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
            transfer.finish(result)
            detach(transfer)
        }
        let seen = notes
        notes = []
        for note in seen { act(on: note) }
    }

    func stop() {
        for exchange in queue.removeAll() { exchange.fail(.closed) }
        for transfer in transfers.values {
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
        guard exchange.begin() else { return false }
        do throws(CurlFailure) {
            let transfer = try Transfer(exchange, options) { [unowned self] in notes.append($0) }
            let raw = transfer.handle.raw
            guard curl_multi_add_handle(multi, raw) == CURLM_OK else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
            transfers[raw] = transfer
            handles[ObjectIdentifier(exchange)] = raw
            return true
        } catch {
            exchange.breakOff(error.errorOfSetup(for: exchange.request.head))
            return false
        }
    }

    private func detach(_ transfer: Transfer) {
        let raw = transfer.handle.raw
        curl_multi_remove_handle(multi, raw)
        transfers[raw] = nil
        handles[ObjectIdentifier(transfer.exchange)] = nil
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

    private func act(on note: Transfer.Note) {
        switch note {
        case .stalled(let exchange):
            // The transfer may be over by now.
            guard transfer(of: exchange) != nil, stalled.insert(ObjectIdentifier(exchange)).inserted else { return }
            release(exchange.target.origin)
        case .multiplexed(let exchange):
            let origin = exchange.target.origin
            for waiting in queue.multiplex(origin) where !begin(waiting) { release(origin) }
        }
    }
}
#endif
