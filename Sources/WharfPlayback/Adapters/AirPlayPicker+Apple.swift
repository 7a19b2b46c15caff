#if canImport(AVKit) && canImport(UIKit) && !os(watchOS)
internal import AVFoundation
public import AVKit
internal import UIKit

extension AVPlayerEngine {
    /// Makes the system's button that lists AirPlay devices.
    ///
    /// AirPlay is not a second screen of `Playback`: the system moves the picture of this engine,
    /// and the engine still has the session. It has not run on a device: only its types are
    /// checked.
    @MainActor public func makeAirPlayPicker() -> AVRoutePickerView {
        let picker = AVRoutePickerView(frame: .zero)
        // Televisions come before loudspeakers in the list.
        picker.prioritizesVideoDevices = true
        return picker
    }

    /// Whether an AirPlay device shows the picture now.
    @MainActor public var isOnAirPlay: Bool { player.isExternalPlaybackActive }
}
#endif
