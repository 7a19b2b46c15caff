#if canImport(UIKit) && !os(watchOS)
internal import UIKit

extension UIScrollView {
    /// Sets a refresh control if the loader can refresh. tvOS has no such control.
    func pull(toRefreshBy loader: ListLoader<some Hashable & Sendable>) {
        #if !os(tvOS)
        guard loader.canRefresh else { return }
        let control = UIRefreshControl()
        let refresh = UIAction { [weak control] _ in
            Task { @MainActor in
                await loader.refresh()
                control?.endRefreshing()
            }
        }
        control.addAction(refresh, for: .valueChanged)
        refreshControl = control
        #endif
    }
}
#endif
