internal import WharfPlayback

/// The known playback of a device: the item loaded here, and the device's reports.
///
/// It determines the broadcast state.
struct RenderedPlayback: Sendable {
    private(set) var state = PlaybackState.idle
    /// The item that was loaded here and not stopped. It outlives a connection, because the device
    /// plays on.
    private(set) var loaded: MediaItem?
    /// The address of `loaded` in the device's spelling, if that differs.
    private var alias: String?
    /// Whether an item is being loaded. Reports then concern the item before, or an intermediate
    /// step.
    private(set) var isLoading = false
    /// The last report of the device.
    private(set) var reading: TransportReading?

    /// The maximum distance of an ended item's last known position from its end. It covers the time
    /// between two reports, and times in whole seconds.
    let slack: Duration

    init(slack: Duration) { self.slack = slack }

    mutating func load(_ item: MediaItem, at position: Duration) {
        loaded = item
        alias = nil
        isLoading = true
        state = PlaybackState(.loading, item: item, position: item.within(position))
    }

    /// Drops the last report, because the device has accepted another item.
    mutating func dropReading() { reading = nil }

    /// Ends the loading. The last report concerns the loaded item.
    mutating func settle() {
        isLoading = false
        guard let reading else { return }
        if let uri = reading.uri, uri != loaded?.url { alias = uri }
        observe(reading)
    }

    /// Removes the item, which was stopped or could not be loaded.
    mutating func forget() {
        loaded = nil
        alias = nil
        isLoading = false
        state = .idle
    }

    /// Drops the reports of an older connection, and keeps the loaded item.
    mutating func reconnect() {
        isLoading = false
        state = .idle
        reading = nil
    }

    mutating func observe(_ reading: TransportReading) {
        self.reading = reading
        // The report is kept for `settle`. Shown, it would flash the item before.
        if isLoading { return }
        guard let item = item(in: reading) else {
            state = .idle
            return
        }
        // A device that reports no position is assumed to be at the last known one.
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
        // A device that reports no address is assumed to have the loaded item.
        guard let uri = reading.uri else { return loaded }
        if let loaded, uri == loaded.url || uri == alias { return loaded }
        let found = DIDLLite.item(at: uri, reading.metadata)
        // A device may rewrite the address. The id in the metadata still tells the item.
        return found.id == loaded?.id ? loaded : found
    }

    /// Handles a stop that was not commanded here.
    ///
    /// The item has ended, or was stopped at the device.
    private mutating func stopped(_ item: MediaItem, _ reading: TransportReading, _ position: Duration) {
        guard state.item == item, item == loaded, state.phase != .idle, !reading.hasFailed else {
            state = .idle
            return
        }
        guard state.phase != .ended else { return }
        // A stopped device may report the position zero.
        let last = max(position, state.position)
        if let end = item.duration ?? reading.duration {
            state = last + slack >= end ? PlaybackState(.ended, item: item, position: end) : .idle
        } else {
            // Without a duration the cause is unknown. An item that was playing has most likely
            // ended.
            state = state.phase == .playing ? PlaybackState(.ended, item: item, position: last) : .idle
        }
    }
}
