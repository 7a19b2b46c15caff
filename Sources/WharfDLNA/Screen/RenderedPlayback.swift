internal import WharfPlayback

/// What is known of a device's playback: what was loaded here, and what the device says. It decides
/// what is told.
struct RenderedPlayback: Sendable {
    private(set) var state = PlaybackState.idle
    /// What was loaded here, and is not stopped. It outlives a connection: the device plays on.
    private(set) var loaded: MediaItem?
    /// What the device calls the address of `loaded`, where it writes it in another way.
    private var alias: String?
    /// While it loads, what the device says is about what was before, or about a step on the way.
    private(set) var isLoading = false
    /// What the device said last.
    private(set) var reading: TransportReading?

    /// How far from its end an item can be when it is last seen playing: what plays on between two
    /// readings, and what times in whole seconds leave out.
    let slack: Duration

    init(slack: Duration) { self.slack = slack }

    mutating func load(_ item: MediaItem, at position: Duration) {
        loaded = item
        alias = nil
        isLoading = true
        state = PlaybackState(.loading, item: item, position: item.within(position))
    }

    /// The device has taken the item: what it said before was about another.
    mutating func dropReading() { reading = nil }

    /// Nothing more is done to load it, and what the device has said last is about it.
    mutating func settle() {
        isLoading = false
        guard let reading else { return }
        if let uri = reading.uri, uri != loaded?.url { alias = uri }
        observe(reading)
    }

    /// It was stopped, or could not be loaded.
    mutating func forget() {
        loaded = nil
        alias = nil
        isLoading = false
        state = .idle
    }

    /// What was told of an older connection is about another time; what was loaded is kept.
    mutating func reconnect() {
        isLoading = false
        state = .idle
        reading = nil
    }

    mutating func observe(_ reading: TransportReading) {
        self.reading = reading
        if isLoading { return }
        guard let item = item(in: reading) else {
            state = .idle
            return
        }
        // Who does not say where it is, is where it was.
        let position = item.within(reading.position ?? (state.item == item ? state.position : .zero))
        switch reading.state {
        case .playing: state = PlaybackState(.playing, item: item, position: position)
        case .paused: state = PlaybackState(.paused, item: item, position: position)
        case .transitioning: state = PlaybackState(.loading, item: item, position: position)
        case .stopped: stopped(item, reading, position)
        case .noMedia: state = .idle
        case .other: break
        }
    }

    private func item(in reading: TransportReading) -> MediaItem? {
        guard let uri = reading.uri else { return loaded }
        if let loaded, uri == loaded.url || uri == alias { return loaded }
        let found = DIDLLite.item(at: uri, reading.metadata)
        return found.id == loaded?.id ? loaded : found
    }

    /// Nobody here has stopped it: it came to its end, or it was stopped at the device.
    private mutating func stopped(_ item: MediaItem, _ reading: TransportReading, _ position: Duration) {
        guard state.item == item, item == loaded, state.phase != .idle, !reading.hasFailed else {
            state = .idle
            return
        }
        guard state.phase != .ended else { return }
        let last = max(position, state.position)
        if let end = item.duration ?? reading.duration {
            state = last + slack >= end ? PlaybackState(.ended, item: item, position: end) : .idle
        } else {
            // It can't be told; what plays on by itself most often ends by itself.
            state = state.phase == .playing ? PlaybackState(.ended, item: item, position: last) : .idle
        }
    }
}
