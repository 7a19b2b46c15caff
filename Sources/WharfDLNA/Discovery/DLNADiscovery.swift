internal import Foundation
internal import Synchronization
public import WharfCore
public import WharfPlayback

/// Looks for renderers in the local network, by SSDP.
///
/// ```swift
/// for await finding in DLNADiscovery(transport: transport).findings() {
///     switch finding {
///     case .screen(let screen): screens.append(screen)
///     case .failure(let error): log(error)
///     }
/// }
/// ```
///
/// Where multicast does not get through, ``DLNAScreen/at(_:transport:timing:clock:)`` takes a known
/// address. On Apple's mobile platforms an app needs the entitlement
/// `com.apple.developer.networking.multicast` to search, and `NSLocalNetworkUsageDescription` in
/// its Info.plist.
public struct DLNADiscovery: Sendable {
    public enum Finding: Sendable {
        case screen(DLNAScreen)
        /// A device answered and its description can't be had or used, more devices answered than
        /// are looked at, or nothing could be searched at all.
        case failure(PlaybackError)
    }

    /// So many addresses are looked at in one search, so that a device gone wild can't fill the
    /// memory.
    static let most = 256
    /// So many of them at a time.
    static let mostAtOnce = 8

    private let transport: any Transport
    private let request: SearchRequest
    private let sends: Int
    private let timing: DLNATiming
    private let clock: any Clock<Duration>
    private let open: @Sendable () throws(PlaybackError) -> any DatagramSocket

    /// - Parameters:
    ///   - transport: carries all requests to what is found.
    ///   - wait: within how many seconds devices answer, 1 to 5. A search takes about two seconds
    ///     more.
    ///   - sends: how often it is asked, as datagrams get lost; at least once.
    ///   - timing: of the screens that are found.
    ///   - clock: measures all times, those of the screens too.
    ///   - open: makes a socket for each search.
    public init(
        transport: any Transport, wait: Int = 2, sends: Int = 3, timing: DLNATiming = DLNATiming(),
        clock: any Clock<Duration> = ContinuousClock(),
        open: @escaping @Sendable () throws(PlaybackError) -> any DatagramSocket = { () throws(PlaybackError) in
            try UDPSocket()
        }
    ) {
        self.transport = transport
        request = SearchRequest(longestWait: min(max(wait, 1), 5))
        self.sends = max(sends, 1)
        self.timing = timing
        self.clock = clock
        self.open = open
    }

    /// Searches once. A device comes as soon as it has described itself; the sequence ends with the
    /// search. Leaving it ends the search.
    ///
    /// A device comes once for each address at which it describes itself, as one on two networks
    /// does, or one that has come back at another: screens of one ``DLNAScreen/id`` are one device.
    /// So many as 256 addresses are looked at, eight at a time, in the order in which they came;
    /// the search ends when the last has answered, or has taken longer than its ``DLNATiming``.
    ///
    /// Only the address from which a device has answered is looked at, as far as the socket tells
    /// it: else anybody in the network could have requests sent to anywhere.
    public func findings() -> AsyncStream<Finding> {
        let (stream, continuation) = AsyncStream.makeStream(of: Finding.self)
        let task = Task {
            do throws(PlaybackError) {
                try await search { continuation.yield($0) }
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func search(_ report: @escaping @Sendable (Finding) -> Void) async throws(PlaybackError) {
        let socket = try open()
        await withTaskGroup(of: Void.self) { group in
            // Ends with this scope.
            async let _ = ask(socket, report)
            let waiting = Waiting()
            var seen: Set<SearchAnswer> = []
            var isFull = false
            for await datagram in socket.received {
                guard let answer = SearchAnswer(datagram), !seen.contains(answer) else { continue }
                if seen.count < Self.most {
                    seen.insert(answer)
                    guard waiting.add(answer) else { continue }
                    group.addTask {
                        while let next = waiting.next() { await report(finding(at: next)) }
                    }
                } else if !isFull {
                    isFull = true
                    report(.failure(Self.tooMany))
                }
            }
            socket.close()
        }
    }

    /// Answers that are not looked at yet.
    private final class Waiting: Sendable {
        private let content = Mutex((answers: [SearchAnswer](), readers: 0))

        /// - Returns: whether one more may look.
        func add(_ answer: SearchAnswer) -> Bool {
            content.withLock { content in
                content.answers.append(answer)
                guard content.readers < mostAtOnce else { return false }
                content.readers += 1
                return true
            }
        }

        /// - Returns: nil where there is none, or the search was left: whoever asked is done.
        func next() -> SearchAnswer? {
            content.withLock { content in
                guard !content.answers.isEmpty, !Task.isCancelled else {
                    content.readers -= 1
                    return nil
                }
                return content.answers.removeFirst()
            }
        }
    }

    private static let tooMany = PlaybackError(
        .refused,
        "expected at most \(most) addresses of devices, but found more, and left out the rest; see who answers in this network"
    )

    /// Asks, waits for the last answers, and ends the search.
    private func ask(_ socket: any DatagramSocket, _ report: @Sendable (Finding) -> Void) async {
        defer { socket.close() }
        var isSent = false
        var refusal: PlaybackError?
        do {
            for _ in 0..<sends {
                do throws(PlaybackError) {
                    try socket.send(request.datagram, to: SearchRequest.group)
                    isSent = true
                } catch {
                    // One that gets through is enough: that is why it is asked more than once.
                    refusal = error
                }
                try await clock.sleep(for: .milliseconds(300))
            }
            if !isSent, let refusal { return report(.failure(refusal)) }
            try await clock.sleep(for: .seconds(request.longestWait) + .seconds(1))
        } catch {
            // Cancelled: nobody listens any more.
        }
    }

    private func finding(at answer: SearchAnswer) async -> Finding {
        let location = answer.location
        do throws(PlaybackError) {
            if let host = answer.host, let named = URL(string: location)?.host(), host != named {
                throw PlaybackError(
                    .refused,
                    "expected a device to describe itself at \(host), from where it answered, but found "
                        + "\(RedactedURL.text(location)); where it "
                        + "is known, take it by its address")
            }
            return .screen(try await .at(location, transport: transport, timing: timing, clock: clock))
        } catch {
            return .failure(error)
        }
    }
}
