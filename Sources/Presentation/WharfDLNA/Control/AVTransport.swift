internal import WharfPlayback

/// The actions of a device's AVTransport service, for its only instance.
struct AVTransport: Sendable {
    let service: DeviceDescription.Service
    let exchange: DeviceExchange

    func setURI(_ item: MediaItem) async throws(PlaybackError) {
        let metadata = DIDLLite.document(for: item)
        try await order("SetAVTransportURI", [("CurrentURI", item.url), ("CurrentURIMetaData", metadata)])
    }

    func play() async throws(PlaybackError) { try await order("Play", [("Speed", "1")]) }

    func pause() async throws(PlaybackError) { try await order("Pause") }

    func stop() async throws(PlaybackError) { try await order("Stop") }

    func seek(to position: Duration) async throws(PlaybackError) {
        try await order("Seek", [("Unit", "REL_TIME"), ("Target", RelativeTime.print(position))])
    }

    /// Reads the state of the transport, and the position on request.
    func reading(withPosition: Bool) async throws(PlaybackError) -> TransportReading {
        let info = try await order("GetTransportInfo")
        guard let state = info["CurrentTransportState"] else {
            throw PlaybackError(
                .malformed,
                "expected CurrentTransportState from \(service.control), found only \(info.keys.sorted().joined(separator: ", "))"
            )
        }
        var reading = TransportReading(
            state: .init(state), hasFailed: info["CurrentTransportStatus"]?.uppercased() == "ERROR_OCCURRED")
        guard withPosition else { return reading }
        let place = try await order("GetPositionInfo")
        // A device may fill only one of the two.
        reading.position = place["RelTime"].flatMap(RelativeTime.parse) ?? place["AbsTime"].flatMap(RelativeTime.parse)
        reading.duration = place["TrackDuration"].flatMap(RelativeTime.parse).flatMap { $0 > .zero ? $0 : nil }
        reading.uri = Self.stated(place["TrackURI"])
        reading.metadata = Self.stated(place["TrackMetaData"])
        return reading
    }

    private static func stated(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty || $0 == "NOT_IMPLEMENTED" ? nil : $0 }
    }

    @discardableResult
    private func order(
        _ name: String, _ arguments: [(name: String, value: String)] = []
    ) async throws(PlaybackError) -> [String: String] {
        try await exchange.perform(SOAPAction(name, [("InstanceID", "0")] + arguments), at: service)
    }
}
