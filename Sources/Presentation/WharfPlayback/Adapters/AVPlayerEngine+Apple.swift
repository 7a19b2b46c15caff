#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation
internal import Foundation

/// A ``Player`` that plays through an `AVPlayer` on an Apple device.
///
/// ```swift
/// let engine = AVPlayerEngine()
/// let playback = Playback(engine: engine)
/// ```
///
/// States are sampled while an item is loaded. A change by AirPlay or by the system is therefore
/// reported within `interval`. This engine has not run on a device: it has only been type-checked.
public final class AVPlayerEngine: Player {
    /// The player for an `AVPlayerLayer` or a `VideoPlayer`. Only this engine sets its item.
    @MainActor public let player: AVPlayer
    private let feed = StateFeed(PlaybackState.idle)
    private let clock: any Clock<Duration>
    private let interval: Duration
    // Invariant on the main actor: `item` and `sampling` are both set or both nil, except while
    // `load` sets them.
    @MainActor private var item: MediaItem?
    @MainActor private var sampling: Task<Void, Never>?

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - player: a player whose item only this engine sets.
    ///   - interval: the time between two samples of the player's state.
    ///   - clock: measures the interval.
    @MainActor public init(
        player: AVPlayer = AVPlayer(), interval: Duration = .milliseconds(250),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.player, self.interval, self.clock) = (player, interval, clock)
        // With AirPlay the video plays externally, and the engine continues to report its states.
        player.allowsExternalPlayback = true
    }

    public func states() -> AsyncStream<PlaybackState> { feed.states() }

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        try await apply(command)
        guard !Task.isCancelled else { throw .cancelledByCaller }
    }

    @MainActor private func apply(_ command: PlaybackCommand) async throws(PlaybackError) {
        switch command {
        case .load(let item, let position, let isPlaying): try await load(item, position, isPlaying)
        case .progress: return
        case .stop: unload()
        case .play, .pause, .seek:
            guard item != nil else { throw PlaybackError(.refused, "the engine has no item; load one first") }
            if case .play = command { player.play() }
            if case .pause = command { player.pause() }
            if case .seek(let position) = command { await seek(to: position) }
        }
        tell()
    }

    @MainActor private func load(
        _ item: MediaItem, _ position: Duration, _ isPlaying: Bool
    ) async throws(PlaybackError) {
        guard let url = URL(string: item.url) else {
            throw PlaybackError(.unplayable, "the address of \(item.id) is not a URL; give an absolute URL")
        }
        let loading = AVPlayerItem(url: url)
        player.pause()
        player.replaceCurrentItem(with: loading)
        self.item = item
        tell()
        sample()
        // AVPlayerItem raises an exception for a seek before it is ready.
        while loading.status == .unknown {
            do { try await clock.sleep(for: interval) } catch { throw .cancelledByCaller }
        }
        guard loading.status == .readyToPlay else {
            unload()
            throw PlaybackError(.unplayable, "AVPlayer can't play \(item.id); see the cause", cause: loading.error)
        }
        if position > .zero { await seek(to: position) }
        if isPlaying { player.play() }
    }

    @MainActor private func seek(to position: Duration) async {
        let time = CMTime(seconds: position / .seconds(1), preferredTimescale: 1000)
        // Without tolerances `AVPlayer` seeks to a key frame near the time.
        _ = await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    @MainActor private func unload() {
        player.pause()
        player.replaceCurrentItem(with: nil)
        item = nil
        sampling?.cancel()
        sampling = nil
        tell()
    }

    // MARK: States

    @MainActor private func sample() {
        guard sampling == nil else { return }
        sampling = Task { @MainActor [weak self, clock, interval] in
            while !Task.isCancelled {
                self?.tell()
                do { try await clock.sleep(for: interval) } catch { return }
                // The loop holds the engine only for the call above, so an abandoned engine is
                // released.
                if self == nil { return }
            }
        }
    }

    @MainActor private func tell() { feed.update(state) }

    @MainActor private var state: PlaybackState {
        guard let item, let current = player.currentItem, current.status != .failed else { return .idle }
        let position = player.currentTime().duration ?? .zero
        if current.status == .unknown { return PlaybackState(.loading, item: item, position: position) }
        if player.timeControlStatus == .playing { return PlaybackState(.playing, item: item, position: position) }
        // The player waits for data, and plays once it has some.
        if player.timeControlStatus == .waitingToPlayAtSpecifiedRate {
            return PlaybackState(.loading, item: item, position: position)
        }
        // At the end of an item `AVPlayer` pauses by itself.
        let hasEnded = current.duration.duration.map { $0 > .zero && position >= $0 } ?? false
        return PlaybackState(hasEnded ? .ended : .paused, item: item, position: position)
    }
}

extension CMTime {
    /// The time as a duration; nil if it is unknown or infinite.
    fileprivate var duration: Duration? { isNumeric ? .seconds(seconds) : nil }
}

extension PlaybackError {
    fileprivate static let cancelledByCaller = PlaybackError(.cancelled, "the calling task was cancelled")
}
#endif
