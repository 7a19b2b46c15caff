internal import WharfCore

/// The changes that are shown over one model, at one moment.
struct ShownChanges: Sendable {
    struct Layer: Sendable {
        let overlay: Overlay
        /// The model is not at the service yet.
        let isAddition: Bool
        let began: WallTime
    }

    /// The earliest first.
    var layers: [Layer] = []
    /// See ``PendingChanges/State/number``: a later look has a greater one.
    var number: UInt64
    /// The number of the last change to what is shown over this model; 0 if no change is shown.
    var last: UInt64 = 0

    var isEmpty: Bool { layers.isEmpty }

    /// Whether they add or delete the model.
    var decides: Bool { layers.contains { $0.isAddition || $0.overlay.isDeletion } }
}
