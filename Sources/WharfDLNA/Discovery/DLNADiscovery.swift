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
        /// A device answered and its description can't be had or used, or nothing could be searched at all.
        case failure(PlaybackError)
    }

    /// A search ends with so many devices, so that a device gone wild can't fill the memory.
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

    /// Searches once. Each device comes once, as soon as it has described itself; the sequence ends with the search. Leaving it
    /// ends the search.
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
            group.addTask { await ask(socket, report) }
            var seen: Set<String> = []
            for await datagram in socket.received {
                guard let answer = SearchAnswer(datagram), seen.insert(answer.name).inserted else { continue }
                group.addTask { await report(finding(at: answer.location)) }
                if seen.count == Self.most { break }
            }
            socket.close()
            // Who still asks has nothing more to wait for; who is asked may answer.
            if Task.isCancelled || seen.count == Self.most { group.cancelAll() }
        }
    }

    /// Asks, waits for the last answers, and ends the search.
    private func ask(_ socket: any DatagramSocket, _ report: @Sendable (Finding) -> Void) async {
        do {
            for _ in 0..<sends {
                try socket.send(request.datagram, to: SearchRequest.group)
                try await clock.sleep(for: .milliseconds(300))
            }
            try await clock.sleep(for: .seconds(request.longestWait) + .seconds(1))
        } catch let error as PlaybackError {
            report(.failure(error))
        } catch {
            // Cancelled: nobody listens any more.
        }
        socket.close()
    }

    private func finding(at location: String) async -> Finding {
        do throws(PlaybackError) {
            return .screen(try await .at(location, transport: transport, timing: timing, clock: clock))
        } catch {
            return .failure(error)
        }
    }
}
