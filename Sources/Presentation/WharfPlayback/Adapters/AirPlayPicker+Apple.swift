#if canImport(AVKit) && canImport(UIKit) && !os(watchOS)
internal import AVFoundation
public import AVKit
internal import UIKit

extension AVPlayerEngine {
    /// Creates the system's button for choosing an AirPlay device.
    ///
    /// AirPlay is not a second screen of `Playback`: the system moves the picture of this engine,
    /// and the engine keeps the session. This has not run on a device: it has only been
    /// type-checked.
    @MainActor public func makeAirPlayPicker() -> AVRoutePickerView {
        let picker = AVRoutePickerView(frame: .zero)
        // Lists televisions before loudspeakers.
        picker.prioritizesVideoDevices = true
        return picker
    }

    /// Whether an AirPlay device shows the picture at present.
    @MainActor public var isOnAirPlay: Bool { player.isExternalPlaybackActive }
}
#endif
