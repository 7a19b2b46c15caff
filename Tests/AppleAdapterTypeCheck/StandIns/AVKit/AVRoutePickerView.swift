// As in https://developer.apple.com/documentation/avkit/avroutepickerview, without behaviour.
public import UIKit

@MainActor open class AVRoutePickerView: UIView {
    open var prioritizesVideoDevices = false
}
