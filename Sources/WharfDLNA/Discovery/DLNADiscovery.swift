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
/// Where multicast does not get through, ``DLNAScreen/at(_:transport:timing:clock:)`` takes a known address. On Apple's mobile
/// platforms an app needs the entitlement `com.apple.developer.networking.multicast` to search, and `NSLocalNetworkUsageDescription`
/// in its Info.plist.
public struct DLNADiscovery: Sendable {
    public enum Finding: Sendable {
        case screen(DLNAScreen)
        /// A device answered and its description can't be had or used, more devices answered than are looked at, or nothing
        /// could be searched at all.
        case failure(PlaybackError)
    }

    /// So many addresses are looked at in one search, so that a device gone wild can't fill the memory.
    static let most = 256

    private let transport: any Transport
    private let request: SearchRequest
    private let sends: Int
    private let timing: DLNATiming
    private let clock: any Clock<Duration>
    private let open: @Sendable () throws(PlaybackError) -> any DatagramSocket

    /// - Parameters:
    ///   - transport: carries all requests to what is found.
    ///   - wait: within how many seconds devices answer, 1 to 5. A search takes about two seconds more.
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

    /// Searches once. A device comes as soon as it has described itself; the sequence ends with the search. Leaving it ends the
    /// search.
    ///
    /// A device comes once for each address at which it describes itself, as one on two networks does, or one that has come back
    /// at another: screens of one ``DLNAScreen/id`` are one device. So many as 256 addresses are looked at.
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
            var seen: Set<String> = []
            var isFull = false
            for await datagram in socket.received {
                guard let location = SearchAnswer(datagram)?.location, !seen.contains(location) else { continue }
                if seen.count < Self.most {
                    seen.insert(location)
                    group.addTask { await report(finding(at: location)) }
                } else if !isFull {
                    isFull = true
                    report(.failure(Self.tooMany))
                }
            }
            socket.close()
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

    private func finding(at location: String) async -> Finding {
        do throws(PlaybackError) {
            return .screen(try await .at(location, transport: transport, timing: timing, clock: clock))
        } catch {
            return .failure(error)
        }
    }
}
