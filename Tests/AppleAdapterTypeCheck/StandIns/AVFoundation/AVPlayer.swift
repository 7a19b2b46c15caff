// Declarations as Apple documents them, without behaviour:
// https://developer.apple.com/documentation/avfoundation/avplayer
// https://developer.apple.com/documentation/avfoundation/avplayeritem
// https://developer.apple.com/documentation/coremedia/cmtime
public import Foundation

/// Declared by CoreMedia, and re-exported by AVFoundation.
public struct CMTime: Sendable {
    public static let zero = CMTime(seconds: 0, preferredTimescale: 1)
    public let seconds: Double
    public var isNumeric: Bool { seconds.isFinite }

    public init(seconds: Double, preferredTimescale: Int32) { self.seconds = seconds }
}

@MainActor open class AVPlayerItem: NSObject {
    public enum Status: Int, Sendable { case unknown, readyToPlay, failed }

    public convenience init(url: URL) { self.init() }

    open var status: Status { .unknown }
    open var error: (any Error)? { nil }
    open var duration: CMTime { .zero }
}

@MainActor open class AVPlayer: NSObject {
    public enum TimeControlStatus: Int, Sendable { case paused, waitingToPlayAtSpecifiedRate, playing }

    open var currentItem: AVPlayerItem? { nil }
    open var timeControlStatus: TimeControlStatus { .paused }
    open var allowsExternalPlayback = true
    open var isExternalPlaybackActive: Bool { false }

    open func play() {}
    open func pause() {}
    open func replaceCurrentItem(with item: AVPlayerItem?) {}
    open func currentTime() -> CMTime { .zero }
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool { true }
}
