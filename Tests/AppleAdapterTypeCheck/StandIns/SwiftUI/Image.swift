public import UIKit

/// image: `@frozen struct Image`
public struct Image: View {
    /// image/init(uiimage:)
    public init(uiImage: UIImage) {}
    public var body: Never { onlyTypeChecked() }
}

extension View {
    /// view/task(id:priority:_:), as in the SDK of iOS 18
    public nonisolated func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { Modified<Self>() }
}
