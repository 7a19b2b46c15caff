// As https://developer.apple.com/documentation/avkit/avroutepickerview has it, without behaviour.
public import UIKit

@MainActor open class AVRoutePickerView: UIView {
    open var prioritizesVideoDevices = false
}
