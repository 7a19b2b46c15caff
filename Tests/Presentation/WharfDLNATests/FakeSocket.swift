import Synchronization
import WharfPlayback

@testable import WharfDLNA

/// A socket without a network.
final class FakeSocket: DatagramSocket {
    let received: AsyncStream<Datagram>
    private let heard: AsyncStream<Datagram>.Continuation
    let sent = Mutex<[(datagram: [UInt8], address: DatagramAddress)]>([])
    let isClosed = Mutex(false)
    /// The failure of each datagram in turn, or nil for one that is sent. All after the last are
    /// sent.
    private let failures: Mutex<[PlaybackError?]>

    init(failures: [PlaybackError?] = []) {
        (received, heard) = AsyncStream.makeStream()
        self.failures = Mutex(failures)
    }

    func send(_ datagram: [UInt8], to address: DatagramAddress) throws(PlaybackError) {
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        sent.withLock { $0.append((datagram, address)) }
    }

    func close() {
        isClosed.withLock { $0 = true }
        heard.finish()
    }

    func hear(_ location: String, _ name: String, from host: String? = nil) {
        let answer = "HTTP/1.1 200 OK\r\nLOCATION: \(location)\r\nUSN: \(name)\r\n\r\n"
        heard.yield(Datagram(Array(answer.utf8), from: host.map { DatagramAddress(host: $0, port: 1900) }))
    }
}
