internal import WharfCore
internal import WharfPlayback

/// The sequences of actions that commands consist of.
struct RendererCommands: Sendable {
    let screen: DLNAScreen
    let session: DLNAScreen.Session

    private var transport: AVTransport { session.transport }
    private var deadline: Deadline { Deadline(after: screen.timing.ready, on: screen.clock) }

    func carry(out command: PlaybackCommand) async throws(PlaybackError) {
        switch command {
        case .load(let item, let position, let isPlaying): try await load(item, at: position, playing: isPlaying)
        case .play: try await play()
        case .pause: try await pause()
        case .seek(let position): try await seek(to: position)
        case .progress: break
        case .stop: try await stop()
        }
    }

    // MARK: Commands

    private func load(_ item: MediaItem, at position: Duration, playing: Bool) async throws(PlaybackError) {
        let before = screen.playback
        screen.update(session) { $0.load(item, at: position) }
        var isTouched = false
        var isSet = false
        do throws(PlaybackError) {
            // Some renderers accept a new item only while nothing plays.
            let isAtRest = try await screen.look(session).state.isAtRest
            // Set before the request: after a lost answer the device may have stopped.
            isTouched = true
            if !isAtRest { try await halt() }
            try await transport.setURI(item)
            // From here on a failure may leave the new item on the device.
            isSet = true
            screen.update(session) { $0.dropReading() }
            try await transport.play()
            try await untilItPlays()
            let position = item.within(position)
            if position > .zero { try await go(to: position, watching: screen.timing.confirmation) }
            if !playing { try await hold() }
            try await screen.look(session)
        } catch {
            // After a timeout, a cancellation or a lost connection the device may play the item
            // nevertheless.
            let mayPlay = isSet && [.timedOut, .cancelled, .disconnected].contains(error.code)
            screen.update(session) { playback in
                if !isTouched { playback = before } else if mayPlay { playback.settle() } else { playback.forget() }
            }
            throw error
        }
        screen.update(session) { $0.settle() }
    }

    private func play() async throws(PlaybackError) {
        let state = try await loaded(for: .play)
        if state.phase == .ended, let item = state.item { return try await load(item, at: .zero, playing: true) }
        try await transport.play()
        try await screen.look(session)
    }

    private func pause() async throws(PlaybackError) {
        let state = try await loaded(for: .pause)
        if state.phase == .ended || state.phase == .paused { return }
        try await hold()
        try await screen.look(session)
    }

    private func seek(to position: Duration) async throws(PlaybackError) {
        let state = try await loaded(for: .seek(to: position))
        guard let item = state.item else { return }
        // A stopped renderer refuses a position, or forgets it.
        if state.phase == .ended { return try await load(item, at: position, playing: false) }
        try await go(to: item.within(position))
    }

    private func stop() async throws(PlaybackError) {
        try await screen.look(session)
        guard screen.playback.state.item != nil else { return }
        try await halt()
        screen.update(session) { $0.forget() }
        try await screen.look(session)
    }

    // MARK: Steps

    /// Polls until the device is in no transition, and returns the state.
    private func state() async throws(PlaybackError) -> PlaybackState {
        try await look(until: { $0.state != .transitioning }, otherwise: "become ready for a command")
        return screen.playback.state
    }

    private func loaded(for command: PlaybackCommand) async throws(PlaybackError) -> PlaybackState {
        let state = try await state()
        guard state.item != nil else { throw .nothingLoaded(for: command) }
        return state
    }

    @discardableResult
    private func untilItPlays() async throws(PlaybackError) -> TransportReading {
        let last = try await look(
            until: { $0.state == .playing || $0.state == .paused || $0.hasFailed }, otherwise: "play the item")
        guard !last.hasFailed else {
            throw PlaybackError(
                .unplayable,
                "\(screen.name) reports an error of the item; check that it reaches the address and plays the format")
        }
        return last
    }

    private func halt() async throws(PlaybackError) {
        let end = deadline
        while true {
            do throws(PlaybackError) {
                return try await transport.stop()
            } catch {
                guard error.isAboutTheMoment else { throw error }
                // 701 to Stop: the item may have ended by itself between the look and the stop.
                if try await screen.look(session).state.isAtRest { return }
                try await pause(before: end, "stop")
            }
        }
    }

    private func hold() async throws(PlaybackError) {
        if try await untilItPlays().state == .paused { return }
        try await whenAllowed { () throws(PlaybackError) in try await transport.pause() }
    }

    /// Seeks, and checks that the device has reached the position. Some devices accept a seek and
    /// drop it, because they have no data yet.
    ///
    /// - Parameter confirmation: the time after which a playing device is believed, even if it
    ///   still reports exactly the requested position.
    private func go(
        to position: Duration, watching confirmation: Duration = .zero
    ) async throws(PlaybackError) {
        let end = deadline
        // Read before the seek, as the comparison needs the position that is left.
        let start = screen.playback.reading?.position ?? .zero
        while true {
            try await whenAllowed { () throws(PlaybackError) in try await transport.seek(to: position) }
            let believed = Deadline(after: min(confirmation, screen.timing.ready), on: screen.clock)
            var looks = 0
            // Two looks at a wrong position: the first may be older than the seek. Then the seek is
            // sent again.
            while looks < 2 {
                let reading = try await screen.look(session)
                guard let found = reading.position else { return }
                // Video often starts at a key frame before the position. So the position also
                // counts as reached if it is nearer to the target than to the start.
                if found.distance(to: position) <= .seconds(2)
                    || found.distance(to: position) <= found.distance(to: start)
                {
                    let isMoving = found.components.seconds != position.components.seconds
                    if isMoving || reading.state != .playing || believed.remaining() <= .zero { return }
                } else if reading.state != .transitioning {
                    looks += 1
                }
                try await pause(before: end, "seek to \(RelativeTime.print(position))")
            }
        }
    }

    /// Repeats an action while the device refuses it because of its transport state.
    private func whenAllowed(_ order: () async throws(PlaybackError) -> Void) async throws(PlaybackError) {
        let end = deadline
        while true {
            do throws(PlaybackError) {
                return try await order()
            } catch {
                guard error.isAboutTheMoment, end.remaining() > .zero else { throw error }
                try await pause(before: end, "become ready for a command")
            }
        }
    }

    // MARK: Waiting

    @discardableResult
    private func look(
        until isReached: (TransportReading) -> Bool, otherwise what: String
    ) async throws(PlaybackError) -> TransportReading {
        let end = deadline
        while true {
            let reading = try await screen.look(session)
            if isReached(reading) { return reading }
            try await pause(before: end, what)
        }
    }

    private func pause(before end: Deadline, _ what: String) async throws(PlaybackError) {
        guard end.remaining() > .zero else {
            throw PlaybackError(
                .timedOut, "\(screen.name) did not \(what) within \(screen.timing.ready)")
        }
        do {
            try await screen.clock.sleep(for: screen.timing.interval)
        } catch {
            throw .left
        }
    }
}

extension TransportReading.State {
    /// Whether nothing plays that has to be stopped.
    fileprivate var isAtRest: Bool { self == .stopped || self == .noMedia }
}

extension PlaybackError {
    fileprivate var isAboutTheMoment: Bool { (cause as? UPnPFault)?.isAboutTheMoment ?? false }
}

extension Duration {
    fileprivate func distance(to other: Duration) -> Duration { self < other ? other - self : self - other }
}
