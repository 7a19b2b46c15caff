internal import WharfCore

/// The changes that are shown over one model, at one moment.
struct ShownChanges: Sendable {
    struct Layer: Sendable {
        let overlay: Overlay
        /// Whether the model is not at the service yet.
        let isAddition: Bool
        let began: WallTime
    }

    /// The layers, the earliest first.
    var layers: [Layer] = []
    /// See ``PendingChanges/State/number``: a later look never has a lower one.
    var number: UInt64
    /// The number of the last change to the shown value; 0 if no change is shown.
    var last: UInt64 = 0

    var isEmpty: Bool { layers.isEmpty }

    /// Whether they add or delete the model, and so decide whether it exists.
    var decides: Bool { layers.contains { $0.isAddition || $0.overlay.isDeletion } }
}
