internal import WharfCore

extension StoreError {
    static func cancelled(_ what: String) -> StoreError {
        StoreError(.cancelled, message: "the task was cancelled before it could \(what); nothing was changed")
    }

    static var closed: StoreError {
        StoreError(.closed, message: "the store was closed; open it again to use it")
    }
}
